/// W1 and W2: storing and looking up persons.
extension Workload {
  static let insertions: [Workload] = [
    insertion("W1a", "insert 1 M objects in one transaction", 1_000_000, perTransaction: .max),
    Workload(
      "W1a-insert", "insert 1 M objects in one transaction from their values, without objects",
      1_000_000
    ) {
      (engine: any ValueEngine, context) in
      try context.time(Expected.ages(context.count)) {
        try engine.insertPersonValues(context.count)
      } then: {
        try ages(engine, context)
      }
    },
    insertion("W1b", "insert 100 k objects, 1,000 per transaction", 100_000, perTransaction: 1000),
    insertion("W1c", "2,000 commits of one new object each", 2000, perTransaction: 1),
    insertion(
      "W1c-nosync", "20,000 commits of one new object each, without durability", 20_000,
      perTransaction: 1,
      durability: .none),
    Workload("W1d", "2,000 durable writes of one new object each, from 8 concurrent tasks", 2000) {
      (engine: any PersonEngine, context) in
      try context.time(Expected.ages(context.count)) {
        try engine.insertPersonsConcurrently(context.count, writers: 8)
      } then: {
        try ages(engine, context)
      }
    },
  ]

  /// The work includes creating the persons.
  private static func insertion(
    _ name: String, _ summary: String, _ count: Int, perTransaction: Int,
    durability: Durability = .full
  ) -> Workload {
    Workload(name, summary, count, durability: durability) { (engine: any PersonEngine, context) in
      try context.time(Expected.ages(context.count)) {
        try engine.insertPersons(0..<context.count, perTransaction: perTransaction)
      } then: {
        try ages(engine, context)
      }
    }
  }

  /// Reads the ages of all persons, and checks all values of some.
  private static func ages(
    _ engine: any PersonEngine, _ context: WorkloadContext
  ) throws -> Checksum {
    let reader = try engine.makePersonReader()
    try context.checkPersons(reader, context.count)
    return try reader.readAges()
  }

  static let lookups: [Workload] = [
    Workload(
      "W2s", "look up 1 M objects by string keys, read three properties", 1_000_000,
      on: .namedPersons
    ) {
      (engine: any NamedPersonEngine, context) in
      let ids = Inputs.indexes(context.count, below: context.stored)
      let names = ids.map { Person(id: $0).name }
      let reader = try engine.makeNamedPersonReader()
      return try context.time(Expected.persons(ids)) { try reader.lookUp(names: names) }
    },
    Workload(
      "W2", "look up 1 M objects by integer keys, read three properties", 1_000_000, on: .persons
    ) {
      (engine: any PersonEngine, context) in
      let ids = Inputs.indexes(context.count, below: context.stored)
      let reader = try engine.makePersonReader()
      return try context.time(Expected.persons(ids)) { try reader.lookUp(ids: ids) }
    },
    Workload("W2t", "the lookups of W2 by each of two concurrent threads", 1_000_000, on: .persons)
    {
      (engine: any PersonEngine, context) in
      let ids = (0..<2).map { Inputs.indexes(context.count, below: context.stored, seed: $0) }
      let expected = ids.map(Expected.persons)
      let reader = try engine.makePersonReader()
      let alone = try context.time(expected[0]) { try reader.lookUp(ids: ids[0]) }
      var samples = try context.time(expected) {
        try BackgroundThread.run(2) { try engine.makePersonReader().lookUp(ids: ids[$0]) }
      }
      samples[0].operations = 2 * context.count
      samples[0].scaling = 2 * alone[0].seconds[0] / samples[0].seconds[0]
      return samples
    },
    Workload("open-view", "open 1 M realms on an open store", 1_000_000, on: .persons) {
      (engine: any ViewEngine, context) in
      try context.time(context.count) {
        try engine.openViews(context.count, persons: context.stored)
      }
    },
  ]
}
