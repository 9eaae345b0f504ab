/// W7 and W8, and operations that only stores with versions support.
extension Workload {
  static let versions: [Workload] = [
    Workload("W8", "bytes on disk of 1 M objects", 1_000_000, on: .persons) {
      (engine: any PersonEngine, context) in
      try context.writeBack()
      let sample = context.sample(0)
      try context.check(engine.makePersonReader().readAges(), Expected.ages(context.stored))
      return [sample]
    },
    Workload(
      "W7", "freeze and read one version 100 k times", 100_000, on: .persons, stored: 1_000_000
    ) {
      (engine: any FreezingEngine, context) in
      let ids = Inputs.indexes(context.count, below: context.stored, seed: 3)
      let expected = ids.reduce(into: Checksum()) { $0.add(next: Person(id: $1).age) }
      return try context.time(expected) {
        var checksum = Checksum()
        for id in ids { checksum.add(next: try engine.freezeAndReadAge(ofPerson: id)) }
        return checksum
      }
    },
    Workload(
      "W7-commit", "freeze and read after each of 1,000 commits", 1000, on: .persons,
      stored: 1_000_000,
      changesStore: true, isLatency: true
    ) { (engine: any FreezingEngine, context) in
      var latencies: [Double] = []
      for (number, id) in Inputs.indexes(context.count, below: context.stored, seed: 3)
        .enumerated()
      {
        try engine.setAge(ofPerson: id, to: 1000 + number)
        let start = ContinuousClock.now
        let age = try engine.freezeAndReadAge(ofPerson: id)
        latencies.append((ContinuousClock.now - start) / .seconds(1))
        try context.check(age, 1000 + number)
      }
      return [context.sample(times: latencies)]
    },
    difference("diff-one", "compare two versions that differ in one object", isChanged: true),
    difference(
      "diff-none", "compare two versions without a changed object of the class", isChanged: false),
    growth("growth-observed", "20,000 commits to an observed store, without durability", .none),
    growth("growth-observed-durable", "20,000 durable commits to an observed store", .full),
  ]

  private static func difference(_ name: String, _ summary: String, isChanged: Bool) -> Workload {
    Workload(
      name, summary, 10_000, 100_000, 1_000_000, on: .persons, changesStore: true, isLatency: true
    ) { (engine: any ComparingEngine, context) in
      let compared = try engine.compare(isChanged: isChanged, count: context.stored, times: 100)
      try context.check(Set(compared.map(\.differing)), [isChanged ? 1 : 0])
      return [context.sample(times: compared.map(\.seconds))]
    }
  }

  private static func growth(
    _ name: String, _ summary: String, _ durability: Durability
  ) -> Workload {
    Workload(
      name, summary, 20_000, durability: durability
    ) { (engine: any GrowingEngine, context) in
      let bytes = try engine.grow(commits: context.count, isObserved: false)
      let start = SharedClock.now
      let observed = try engine.grow(commits: context.count, isObserved: true)
      var sample = context.sample(SharedClock.now - start)
      sample.bytesOnDisk = observed - bytes
      return [sample]
    }
  }
}
