import Foundation
import Synchronization

/// F1 to F3: data that is usually stored in files.
extension Workload {
  static let blobs: [Workload] = [
    Workload("F1-write", "write 100 k blobs of 8 to 12 kB, 1,000 per transaction", 100_000) {
      (engine: any BlobEngine, context) in
      try context.time(Expected.blobs(0..<context.count)) {
        try engine.writeBlobs(0..<context.count, perTransaction: 1000)
      } then: {
        let reader = try engine.makeBlobReader()
        for id in Inputs.spread(below: context.count) {
          try context.check(reader.readBlob(id) == Blob.content(id), true)
        }
        return try reader.readBlobs(Array(0..<context.count))
      }
    },
    Workload("F1-random-read", "read 100 k blobs in random order", 100_000, on: .blobs) {
      (engine: any BlobEngine, context) in
      let ids = Inputs.indexes(context.count, below: context.stored, seed: 11)
      let reader = try engine.makeBlobReader()
      return try context.time(Expected.blobs(ids)) { try reader.readBlobs(ids) }
    },
    Workload(
      "F1-random-read-buffer", "read 100 k blobs in random order into one reused buffer",
      100_000, on: .blobs
    ) {
      (engine: any BlobEngine, context) in
      let ids = Inputs.indexes(context.count, below: context.stored, seed: 11)
      guard let reader = try engine.makeBlobReader() as? any BufferedBlobReader else {
        throw NotOffered("the engine only returns values, as in F1-random-read")
      }
      return try context.time(Expected.blobs(ids)) { try reader.readBlobsIntoBuffer(ids) }
    },
    Workload(
      "F1-random-read-lent", "read all bytes of 100 k blobs in random order, in place", 100_000,
      on: .blobs
    ) {
      (engine: any BlobEngine, context) in
      let ids = Inputs.indexes(context.count, below: context.stored, seed: 11)
      let reader = try engine.makeBlobReader()
      return try context.time(Expected.sums(ids)) { try reader.sumBlobs(ids) }
    },
    Workload(
      "F1-sequential-read", "read 100 k blobs in the order of their ids", 100_000, on: .blobs
    ) {
      (engine: any BlobEngine, context) in
      let ids = Array(0..<context.stored)
      let reader = try engine.makeBlobReader()
      return try context.time(Expected.blobs(ids)) { try reader.readBlobs(ids) }
    },
    Workload(
      "F1-append", "append 4 kB to 10 k blobs in random order, 1,000 per transaction", 10_000,
      on: .blobs, changesStore: true
    ) {
      (engine: any BlobEngine, context) in
      let ids = Inputs.indexes(context.count, below: context.stored, seed: 12)
      return try context.time(Expected.blobs(context.stored, appended: ids)) {
        try engine.appendToBlobs(ids, perTransaction: 1000)
      } then: {
        let reader = try engine.makeBlobReader()
        for id in Inputs.spread(below: context.stored) {
          try context.check(reader.readBlob(id) == Expected.blob(id, appended: ids), true)
        }
        return try reader.readBlobs(Array(0..<context.stored))
      }
    },
  ]

  static let spools: [Workload] = [
    Workload("F2", "create, append to, read and delete 1,000 messages", 1000) {
      (engine: any SpoolEngine, context) in
      let ids = Array(0..<context.count)
      let contents = ids.map { (Message.content($0), Message.addition($0)) }
      let expected = contents.reduce(into: Checksum()) { $0.add(blob: $1.0 + $1.1) }
      var samples = try context.time(expected) {
        var checksum = Checksum()
        for id in ids { try engine.createMessage(id, contents[id].0) }
        for id in ids { try engine.appendToMessage(id, contents[id].1) }
        for id in ids { checksum.add(blob: try engine.readMessage(id) ?? Data()) }
        for id in ids { try engine.deleteMessage(id) }
        return checksum
      }
      try context.check(ids.count { try engine.readMessage($0) != nil }, 0)
      samples[0].operations = 4 * context.count
      return samples
    }
  ]

  static let pages: [Workload] = [
    Workload(
      "F3", "10 threads read 200 k pages of 1 to 8 kB while one appends to a log", 200_000,
      on: .pages, stored: 10_000, changesStore: true
    ) { (engine: any WebEngine, context) in
      let readers = 10
      let ids = (0..<readers).map {
        Inputs.indexes(
          max(1, context.count / readers), below: context.stored, seed: 20 + UInt64($0))
      }
      let expected = ids.map { $0.reduce(into: Checksum()) { $0.add(blob: WebPage.content($1)) } }
      try checkFreshness(engine, context)
      let isOver = Atomic(false)
      let log = BackgroundThread {
        var lines = 0
        while !isOver.load(ordering: .relaxed) {
          try engine.appendToLog(WebPage.logLine(lines))
          lines += 1
        }
        return lines
      }
      let start = ContinuousClock.now
      let found = Result { try BackgroundThread.run(readers) { try readPages(engine, ids[$0]) } }
      let elapsed = (ContinuousClock.now - start) / .seconds(1)
      // The log ends before an error removes the store.
      isOver.store(true, ordering: .relaxed)
      let lines = try log.end().get()
      try context.check(found.get(), expected)
      try context.check(engine.countLogLines(), lines)
      return [
        context.sample(elapsed, operations: ids.reduce(0) { $0 + $1.count }),
        context.sample(elapsed, operations: lines, variant: "-log"),
      ]
    }
  ]

  /// Checks that a reader sees a page committed after the reader was created and after its first
  /// read.
  private static func checkFreshness(_ engine: any WebEngine, _ context: WorkloadContext) throws {
    let reader = try engine.makePageReader()
    let new = context.stored
    try context.check(reader.readPage(WebPage.path(new)), nil)
    try engine.storePages(new..<new + 1)
    try context.check(reader.readPage(WebPage.path(new)), WebPage.content(new))
  }

  private static func readPages(_ engine: any WebEngine, _ ids: [Int]) throws -> Checksum {
    let reader = try engine.makePageReader()
    var checksum = Checksum()
    for id in ids { checksum.add(blob: try reader.readPage(WebPage.path(id)) ?? Data()) }
    return checksum
  }
}
