/// W3: iterating and querying persons. Each run creates a reader and repeats the query five times,
/// each time with new results, because results cache what they have found.
extension Workload {
  static let scans: [Workload] =
    [
      Workload("W3a", "iterate 1 M objects, read one property", 1_000_000, on: .persons) {
        (engine: any PersonEngine, context) in
        let reader = try engine.makePersonReader()
        return try context.time(Expected.ages(context.stored)) { try reader.readAges() }
      },
      query("W3b", "sum of a property of 1 M objects", Expected.sumOfAges) {
        try $0.sumOfAges()
      },
      query("W3c", "count age > 50 among 1 M objects", countOlder) {
        try $0.countPersons(olderThan: QuestionInputs.age)
      },
      query("W3d", "the first 100 of 1 M objects, sorted by a double", lowestScores) {
        try $0.idsOfLowestScores(QuestionInputs.lowestCount)
      },
      query("W3e", "count three prefixes of strings among 1 M objects", countBeginning) {
        try $0.countPersons(beginningWith: QuestionInputs.prefixes)
      },
      query("W3f", "count age = 42 among 1 M objects", countOfAge) {
        try $0.countPersons(ofAge: QuestionInputs.commonAge)
      },
    ]

  static let indexedQueries: [Workload] = [
    query("W3c-indexed", "count age > 50 with an index", countOlder, isIndexed: true) {
      try $0.countPersons(olderThan: QuestionInputs.age)
    },
    query(
      "W3d-indexed", "sort by a double with an index, read the first 100", lowestScores,
      isIndexed: true
    ) {
      try $0.idsOfLowestScores(QuestionInputs.lowestCount)
    },
    query(
      "W3e-indexed", "count three prefixes of strings with an index", countBeginning,
      isIndexed: true
    ) {
      try $0.countPersons(beginningWith: QuestionInputs.prefixes)
    },
    query("W3f-indexed", "count age = 42 with an index", countOfAge, isIndexed: true) {
      try $0.countPersons(ofAge: QuestionInputs.commonAge)
    },
    Workload(
      "W3g-indexed", "count 10,000 names among 1 M objects, with an index", 10_000,
      on: .indexedPersons, stored: 1_000_000
    ) {
      (engine: any QueryEngine, context) in
      let ids = QuestionInputs.named(context.count, of: context.stored)
      let names = ids.map { Person(id: $0).name }
      let reader = try engine.makeQueryReader(isIndexed: true)
      return try context.time(Set(ids).count, times: 5) { try reader.countPersons(named: names) }
    },
    Workload(
      "W3h", "parse and plan a query 10,000 times", 10_000, on: .indexedPersons, stored: 1_000_000
    ) {
      (engine: any PlanningEngine, context) in
      try context.time(context.count) { try engine.plan(times: context.count) }
    },
  ]

  private static func query<Answer: Equatable & Sendable>(
    _ name: String, _ summary: String, _ expected: @escaping @Sendable (Int) -> Answer,
    isIndexed: Bool = false, _ ask: @escaping @Sendable (any QueryReader) throws -> Answer
  ) -> Workload {
    Workload(name, summary, 1_000_000, on: isIndexed ? .indexedPersons : .persons) {
      (engine: any QueryEngine, context) in
      let reader = try engine.makeQueryReader(isIndexed: isIndexed)
      return try context.time(expected(context.stored), times: 5) { try ask(reader) }
    }
  }

  private static func countOlder(_ persons: Int) -> Int {
    Expected.count(persons) { $0.age > QuestionInputs.age }
  }

  private static func countOfAge(_ persons: Int) -> Int {
    Expected.count(persons) { $0.age == QuestionInputs.commonAge }
  }

  private static func countBeginning(_ persons: Int) -> Int {
    Expected.count(persons, beginningWith: QuestionInputs.prefixes)
  }

  private static func lowestScores(_ persons: Int) -> [Int] {
    Expected.idsOfLowestScores(QuestionInputs.lowestCount, of: persons)
  }
}
