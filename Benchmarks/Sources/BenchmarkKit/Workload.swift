/// A piece of work that is measured. Sizes are those of scale 1.
package enum Workload: String, CaseIterable, Sendable {
  /// Insert 1 M persons in one transaction; making the persons is part of the work.
  case insert = "W1a"

  /// 1,000 commits of one changed property each, one after another, that nobody observes. The result has
  /// the median and the 95th percentile of one.
  case commit = "W1c"

  /// 20,000 such commits to a store without durability.
  case commitWithoutSync = "W1c-nosync"

  /// 1 M random look-ups by primary key, three properties each.
  case lookUp = "W2"

  /// The same by two threads at once, each with a view of its own; the result tells the scaling.
  case lookUpTwoThreads = "W2t"

  /// Go through 1 M persons and read one property.
  case iterate = "W3a"

  // Queries, with `-indexed` of a class with indexes of name, age and score. A large table is scanned by as many threads
  // as the process may run on: `taskset -c 0 varve-bench …` measures one.

  /// The sum of the ages of 1 M persons.
  case sumAges = "W3b"

  /// How many of 1 M persons are older than 50.
  case countOlder = "W3c"
  case countOlderIndexed = "W3c-indexed"

  /// 1 M persons sorted by their scores; the ids of the first 100 are read.
  case lowestScores = "W3d"
  case lowestScoresIndexed = "W3d-indexed"

  /// How many names of 1 M begin with one of three prefixes; 11,700 do.
  case countPrefixes = "W3e"
  case countPrefixesIndexed = "W3e-indexed"

  /// How many of 1 M persons have one age; 10,000 have.
  case countAge = "W3f"
  case countAgeIndexed = "W3f-indexed"

  /// How many of 1 M persons have one of 10,000 names, by the index of the names.
  case countNamesIndexed = "W3g"

  /// Parse and plan a query of two conditions about 1 M persons with indexes, 10,000 times.
  case planQuery = "W3h"

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

  /// From the return of a commit of 12 changes to the callback that has them, for all persons; at 10 k,
  /// 100 k and 1 M persons. The result has the median and the 95th percentile of one such latency.
  case observeAll = "W6-all"

  /// The same for the persons of 50 and more years.
  case observeFiltered = "W6-filter"

  /// The same for all persons sorted by the property that changes.
  case observeSorted = "W6-sorted"

  /// The same for one insertion in the middle of a list of integers.
  case observeList = "W6-list"

  /// The same for one new value in a dictionary.
  case observeMap = "W6-map"

  /// From the return of a commit of one changed property in another process to the callback that has it, for
  /// all of 10 k persons; 1,000 commits without pause. One that shares a callback with later ones
  /// counts like the others. The result has the median and the 95th percentile.
  case observeProcess = "W9-latency"

  /// The same with a pause of 20 ms before each of 100 commits.
  case observeProcessAtRest = "W9-latency-20ms"

  /// 20,000 commits of one changed property to a store without durability, while an observer lives: the result's
  /// bytes on disk are those by which its file is larger than one of the same commits without an observer.
  case growObserved = "growth-observed"

  /// The same with durable commits, as stores make them unless they are told otherwise.
  case growObservedDurably = "growth-observed-durable"

  /// What differs between two versions in one person, of 10 k, 100 k and 1 M; the result has the median and the
  /// 95th percentile of one comparison.
  case compareOne = "diff-one"

  /// The same where no person differs, but something else.
  case compareNone = "diff-none"

  /// Open 1 M persons with another schema: of one property the type changes, and each person is given a new value for
  /// it; another one gets another name. The result's memory is that of the migration.
  case migrate = "migrate"

  /// 1 M persons stored once more by their keys, where one of a hundred differs in one property: every property is
  /// written.
  case updateAll = "update-all"

  /// The same, where only what differs is written.
  case updateModified = "update-modified"

  /// 1 M persons written as text.
  case exportText = "export"

  /// The same text stored in another store, in one transaction.
  case importText = "import"

  /// What `--workloads` is when it is not given.
  package static let standard: [Workload] = [
    .insert, .lookUp, .iterate, .appendToList, .readList, .insertIntoMap, .readMap,
  ]

  /// The number of operations at a scale, at least one.
  package func operations(scale: Double) -> Int {
    switch self {
    case .commit, .observeProcess: Self.scaled(1000, scale)
    case .observeProcessAtRest: Self.scaled(100, scale)
    case .commitWithoutSync, .growObserved, .growObservedDurably: Self.scaled(20_000, scale)
    case .readList, .insertIntoMap, .readMap: Self.scaled(100_000, scale)
    case .countNamesIndexed, .planQuery: Self.scaled(10_000, scale)
    case .lookUpTwoThreads: 2 * Self.scaled(1_000_000, scale)
    case .insert, .lookUp, .iterate, .appendToList, .openView, .observeAll, .observeFiltered,
      .observeSorted, .observeList, .observeMap, .compareOne, .compareNone, .migrate,
      .updateAll, .updateModified, .exportText, .importText, .sumAges, .countOlder,
      .countOlderIndexed, .lowestScores, .lowestScoresIndexed, .countPrefixes,
      .countPrefixesIndexed, .countAge, .countAgeIndexed:
      Self.scaled(1_000_000, scale)
    }
  }

  /// What is observed; nil for the other workloads.
  var observed: ObservedCollection? {
    switch self {
    case .observeAll: .all
    case .observeFiltered: .filtered
    case .observeSorted: .sorted
    case .observeList: .list
    case .observeMap: .map
    default: nil
    }
  }

  /// How many persons are there when commits of one changed property are made.
  static func personsOfCommits(scale: Double) -> Int { scaled(10_000, scale) }

  /// Whether one operation is timed by itself.
  var isLatency: Bool {
    switch self {
    case .commit, .commitWithoutSync, .observeProcess, .observeProcessAtRest, .compareOne,
      .compareNone:
      true
    default: observed != nil
    }
  }

  /// Whether the workload is measured at several sizes.
  private var hasSizes: Bool { observed != nil || self == .compareOne || self == .compareNone }

  /// The sizes at which a workload is measured.
  package func sizes(scale: Double) -> [Int] {
    let largest = operations(scale: scale)
    return !hasSizes ? [largest] : [100, 10, 1].map { max(64, largest / $0) }
  }

  package static func scaled(_ count: Int, _ scale: Double) -> Int {
    max(1, Int((Double(count) * scale).rounded()))
  }

  /// What the store must hold before the work begins.
  var preparation: Preparation {
    switch self {
    case .insert, .appendToList, .insertIntoMap, .growObserved, .growObservedDurably, .migrate,
      .updateAll, .updateModified, .importText:
      .nothing
    case .lookUp, .lookUpTwoThreads, .iterate, .openView, .observeAll, .observeFiltered,
      .observeSorted, .commit, .commitWithoutSync, .observeProcess, .observeProcessAtRest,
      .compareOne, .compareNone, .exportText, .sumAges, .countOlder, .lowestScores,
      .countPrefixes, .countAge:
      .persons
    case .countOlderIndexed, .lowestScoresIndexed, .countPrefixesIndexed, .countAgeIndexed,
      .countNamesIndexed, .planQuery:
      .indexedPersons
    case .readList, .observeList: .list
    case .readMap, .observeMap: .map
    }
  }

  enum Preparation: Sendable {
    case nothing
    case persons
    case indexedPersons
    case list
    case map
  }
}
