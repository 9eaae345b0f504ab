/// What a query asks about the persons.
enum Question: Sendable {
  /// The sum of the ages.
  case sumOfAges
  /// How many are older than an age.
  case countOlder
  /// The ids of the persons of the least scores, in their order.
  case lowestScores
  /// How many have a name that begins with one of three prefixes.
  case countBeginning
  /// How many have an age.
  case countOfAge
  /// How many have one of many names.
  case countNamed
  /// How the persons of a condition would be found.
  case plan
}

extension Workload {
  /// What is asked; nil for the other workloads.
  var question: Question? {
    switch self {
    case .sumAges: .sumOfAges
    case .countOlder, .countOlderIndexed: .countOlder
    case .lowestScores, .lowestScoresIndexed: .lowestScores
    case .countPrefixes, .countPrefixesIndexed: .countBeginning
    case .countAge, .countAgeIndexed: .countOfAge
    case .countNamesIndexed: .countNamed
    case .planQuery: .plan
    default: nil
    }
  }

  /// Whether the persons are those of the class with indexes.
  var asksIndexed: Bool { preparation == .indexedPersons }

  /// The workloads of a name on the command line: one, or those that begin with the name of a group.
  ///
  /// - Parameter name: the name of a workload, or `W3`, `W6`, `W9` or `diff`.
  /// - Returns: the workloads; empty when there is none of that name.
  package static func selected(by name: String) -> [Workload] {
    guard ["W3", "W6", "W9", "diff"].contains(name) else {
      return Workload(rawValue: name).map { [$0] } ?? []
    }
    return allCases.filter { $0.rawValue.hasPrefix(name) }
  }
}
