/// The correct answers of queries.
extension Expected {
  static func sumOfAges(_ count: Int) -> Int { ages(count).integers }

  static func count(_ count: Int, where isWanted: (Person) -> Bool) -> Int {
    (0..<count).count { isWanted(Person(id: $0)) }
  }

  static func count(_ persons: Int, beginningWith prefixes: [String]) -> Int {
    count(persons) { person in prefixes.contains { person.name.hasPrefix($0) } }
  }

  /// Persons with the same score are in the order of their ids.
  static func idsOfLowestScores(_ limit: Int, of persons: Int) -> [Int] {
    var lowest: [(score: Double, id: Int)] = []
    for id in 0..<persons {
      let score = Person(id: id).score
      if lowest.count == limit, let last = lowest.last, score >= last.score { continue }
      let index = lowest.firstIndex { $0.score > score } ?? lowest.count
      lowest.insert((score, id), at: index)
      if lowest.count > limit { lowest.removeLast() }
    }
    return lowest.map(\.id)
  }
}
