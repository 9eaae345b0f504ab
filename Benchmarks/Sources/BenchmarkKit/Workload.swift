/// A piece of work that is measured. Sizes are those of scale 1.
package enum Workload: String, CaseIterable, Sendable {
  /// Insert 1 M persons in one transaction; making the persons is part of the work.
  case insert = "W1a"

  /// 1 M random look-ups by primary key, three properties each.
  case lookUp = "W2"

  /// The same by two threads at once, each with a view of its own; the result tells the scaling.
  case lookUpTwoThreads = "W2t"

  /// Go through 1 M persons and read one property.
  case iterate = "W3a"

  /// Append 1 M integers to a list in one transaction.
  case appendToList = "W4a"

  /// 100 k random reads of a list of 1 M integers.
  case readList = "W4b"

  /// Insert 100 k keys into a dictionary in one transaction.
  case insertIntoMap = "W5a"

  /// 100 k random reads of a dictionary of 100 k keys.
  case readMap = "W5b"

  /// Open 1 M views, one after another, on an open store.
  case openView = "open-view"

  /// What `--workloads` is when it is not given.
  package static let standard: [Workload] = [
    .insert, .lookUp, .iterate, .appendToList, .readList, .insertIntoMap, .readMap,
  ]

  /// The number of operations at a scale, at least one.
  package func operations(scale: Double) -> Int {
    switch self {
    case .readList, .insertIntoMap, .readMap: Self.scaled(100_000, scale)
    case .lookUpTwoThreads: 2 * Self.scaled(1_000_000, scale)
    case .insert, .lookUp, .iterate, .appendToList, .openView: Self.scaled(1_000_000, scale)
    }
  }

  package static func scaled(_ count: Int, _ scale: Double) -> Int {
    max(1, Int((Double(count) * scale).rounded()))
  }

  /// What the store must hold before the work begins.
  var preparation: Preparation {
    switch self {
    case .insert, .appendToList, .insertIntoMap: .nothing
    case .lookUp, .lookUpTwoThreads, .iterate, .openView: .persons
    case .readList: .list
    case .readMap: .map
    }
  }

  enum Preparation: Sendable {
    case nothing
    case persons
    case list
    case map
  }
}
