/// F4: a document store.
extension Workload {
  static let documents: [Workload] = [
    revision("F4", "read, change and write 100 k documents, 1,000 per transaction", 100_000, 1000),
    revision(
      "F4-commits", "read, change and write 2,000 documents, one per transaction", 2000, 1),
    Workload(
      "F4-grow", "append a tag to each of 100 k documents, 1,000 per transaction", 100_000,
      on: .documents, changesStore: true
    ) {
      (engine: any DocumentEngine, context) in
      let ids = shuffled(context.stored, seed: 13)
      let revised = try reviseSome(engine, context)
      var scans: [Sample] = []
      let expected = Expected.documents(context.stored, revised: revised, isGrown: true)
      let samples = try context.time(expected) {
        try engine.growDocuments(ids, perTransaction: 1000)
      } then: {
        scans = try context.time(Expected.sumOfRevisions(revised), times: 5) {
          try engine.sumOfRevisions(beginningWith: nil)
        }
        return try engine.readDocuments()
      }
      for index in scans.indices { scans[index].variant = "-scan" }
      return samples + scans
    },
    Workload(
      "F4-scan", "sum of a number of 100 k documents, of those whose title has a prefix", 100_000,
      on: .documents, changesStore: true
    ) {
      (engine: any DocumentEngine, context) in
      let prefix = QuestionInputs.titlePrefix
      let revised = try reviseSome(engine, context)
      return try context.time(Expected.sumOfRevisions(revised, beginningWith: prefix), times: 5) {
        try engine.sumOfRevisions(beginningWith: prefix)
      }
    },
  ]

  private static func revision(
    _ name: String, _ summary: String, _ count: Int, _ perTransaction: Int
  ) -> Workload {
    Workload(name, summary, count, on: .documents, stored: 100_000, changesStore: true) {
      (engine: any DocumentEngine, context) in
      let ids = Array(shuffled(context.stored, seed: 12).prefix(context.count))
      return try context.time(Expected.documents(context.stored, revised: ids)) {
        try engine.reviseDocuments(ids, perTransaction: perTransaction)
      } then: {
        try engine.readDocuments()
      }
    }
  }

  private static func shuffled(_ count: Int, seed: UInt64) -> [Int] {
    var ids = Array(0..<count)
    var random = SplitMix(seed: seed)
    ids.shuffle(using: &random)
    return ids
  }

  /// Revises every tenth document, so that the sums of revisions are not zero. This is not part of
  /// any measured work.
  ///
  /// - Returns: The ids.
  private static func reviseSome(
    _ engine: any DocumentEngine, _ context: WorkloadContext
  ) throws -> [Int] {
    let ids = Array(stride(from: 0, to: context.stored, by: 10))
    try engine.reviseDocuments(ids, perTransaction: 1000)
    ResidentMemory.resetPeak()
    return ids
  }
}
