import Foundation
import Logging
import Testing
import Varve
import VarveCore
import VarveStorage
import VarveTestSupport

@Suite struct LentBytesTests {
  private struct Refused: Error, Equatable {
    var count = 0
  }

  /// Lengths in the row, of one chunk, of two, and of several.
  private static let counts = [
    0, 1, 14, 15, 512, 513, 4080, 4081, 6080, 6081, 9000, 1_048_560, 1_048_561, 1_050_560,
    1_050_561, 3 << 20,
  ]

  @Test(arguments: counts) func bytesAreLent(_ count: Int) throws {
    try withTemporaryRealm { realm, store in
      let bytes = pattern(count)
      let text = String(repeating: "é", count: count / 2)
      let value: [String: Any] = [
        "body": bytes, "note": bytes, "title": text, "caption": text, "emblem": ["image": bytes],
      ]
      let sheet = try realm.write { realm.create(Sheet.self, value: value) }
      for sheet in [sheet, sheet.freeze(), Sheet(value: value)] {
        #expect(sheet.withBytes(\.body) { $0.copy } == bytes)
        #expect(sheet.withBytes(\.note) { $0.copy } == bytes)
        #expect(sheet.withBytes(\.title) { $0.copy } == Data(text.utf8))
        #expect(sheet.withBytes(\.caption) { $0.copy } == Data(text.utf8))
        #expect(sheet.emblem?.withBytes(\.image) { $0.copy } == bytes)
        #expect(sheet.byteCount(of: \.body) == count && sheet.byteCount(of: \.note) == count)
        #expect(sheet.byteCount(of: \.title) == text.utf8.count)
        #expect(sheet.byteCount(of: \.caption) == text.utf8.count)
        var all = Data()
        sheet.withChunks(\.note) { all.append($0.copy) }
        #expect(all == bytes)
      }
      try realm.write {
        #expect(sheet.withBytes(\.body) { $0.copy } == bytes)
        #expect(sheet.withBytes(\.caption) { $0.copy } == Data(text.utf8))
        #expect(sheet.byteCount(of: \.note) == count)
      }
    }
  }

  @Test func inheritedPropertyIsLent() throws {
    try withTemporaryRealm { realm, _ in
      let scan = try realm.write {
        realm.create(Scan.self, value: ["image": pattern(9000), "page": 3])
      }
      for scan in [scan, scan.freeze(), Scan(value: ["image": pattern(9000)])] {
        for _ in 0..<3 { #expect(scan.withBytes(\.image) { $0.copy } == pattern(9000)) }
        #expect(scan.byteCount(of: \.image) == 9000)
        #expect(scan.withBytes(\.sameImage, in: 1..<5) { $0.copy } == pattern(9000)[1..<5])
      }
      try realm.write { scan.append(pattern(10), to: \.image) }
      #expect(scan.image.count == 9010)
    }
  }

  @Test func nilLendsNothing() throws {
    try withTemporaryRealm { realm, _ in
      let sheet = try realm.write { realm.create(Sheet.self) }
      func expectNothing(_ sheet: Sheet) {
        var calls = 0
        #expect(sheet.withBytes(\.note) { _ in calls += 1 } == nil)
        #expect(sheet.withBytes(\.caption, in: 3..<5) { _ in calls += 1 } == nil)
        sheet.withChunks(\.note) { _ in calls += 1 }
        #expect(sheet.byteCount(of: \.note) == nil && calls == 0)
        // An empty value is lent.
        #expect(sheet.withBytes(\.body) { $0.byteCount } == 0)
        sheet.withChunks(\.body) { _ in calls += 1 }
        #expect(sheet.byteCount(of: \.body) == 0 && calls == 0)
      }
      expectNothing(sheet)
      expectNothing(sheet.freeze())
      expectNothing(Sheet())
      try realm.write { expectNothing(sheet) }
    }
  }

  @Test func errorsAreThrown() throws {
    try withTemporaryRealm { realm, _ in
      let sheet = try realm.write { realm.create(Sheet.self, value: ["body": pattern(9000)]) }
      for sheet in [sheet, sheet.freeze(), Sheet(value: ["body": pattern(9000)])] {
        do throws(Refused) {
          try sheet.withBytes(\.body) { (bytes) throws(Refused) in
            throw Refused(count: bytes.byteCount)
          }
          Issue.record("Nothing was thrown.")
        } catch {
          #expect(error == Refused(count: 9000))
        }
        var calls = 0
        #expect(throws: Refused()) {
          try sheet.withChunks(\.body) { (_) throws(Refused) in
            calls += 1
            throw Refused()
          }
        }
        #expect(calls == 1)
      }
      // The thread reads on.
      #expect(sheet.number == 0)
    }
  }

  // MARK: Ranges

  /// Cuts the blob at other places, and reads ranges that begin and end around them.
  @Test(arguments: [
    [9000], [1, 8999], [8999, 1], [3000, 3000, 3000], [Int](repeating: 90, count: 100),
  ])
  func rangesAreLent(_ lengths: [Int]) throws {
    try withTemporaryRealm { realm, store in
      let bytes = pattern(9000)
      let sheet = try realm.write { realm.create(Sheet.self, value: ["body": bytes]) }
      try store.cutBlob(lengths)
      try realm.refresh()
      let bounds = [0, 1, 2, 89, 90, 91, 2999, 3000, 3001, 6000, 8998, 8999, 9000]
      func expectRanges(_ sheet: Sheet) {
        for start in bounds {
          for end in bounds where end >= start {
            let range = start..<end
            #expect(sheet.withBytes(\.body, in: range) { $0.copy } == bytes[range], "\(range)")
            var all = Data()
            sheet.withChunks(\.body, in: range) { all.append($0.copy) }
            #expect(all == bytes[range], "\(range)")
          }
          #expect(sheet.withBytes(\.body, in: start...) { $0.copy } == bytes[start...])
          #expect(sheet.withBytes(\.body, in: ..<start) { $0.copy } == bytes[..<start])
        }
        #expect(sheet.withBytes(\.body, in: 3...3000) { $0.copy } == bytes[3...3000])
      }
      expectRanges(sheet)
      expectRanges(sheet.freeze())
      expectRanges(Sheet(value: ["body": bytes]))
      try realm.write { expectRanges(sheet) }
      try realm.write {
        // The table of the blobs is changed: LMDB's cursor reads it.
        sheet.note = pattern(600)
        expectRanges(sheet)
      }
    }
  }

  /// Each chunk is lent where it is, and is not copied.
  @Test func chunksAreThoseOfTheFile() throws {
    try withTemporaryRealm { realm, store in
      let sheet = try realm.write { realm.create(Sheet.self, value: ["body": pattern(9000)]) }
      try store.cutBlob([4000, 3000, 2000])
      try realm.refresh()
      var counts: [Int] = []
      sheet.withChunks(\.body) { counts.append($0.byteCount) }
      #expect(counts == [4000, 3000, 2000])
      counts = []
      sheet.withChunks(\.body, in: 3999..<7001) { counts.append($0.byteCount) }
      #expect(counts == [1, 3000, 1])
      func address(_ sheet: Sheet, _ range: Range<Int>) -> UnsafeRawPointer? {
        sheet.withBytes(\.body, in: range) { $0.withUnsafeBytes { $0.baseAddress } }
      }
      let frozen = sheet.freeze()
      let start = try #require(address(sheet, 0..<4000))
      #expect(address(frozen, 0..<10) == start && address(frozen, 100..<4000) == start + 100)
      // Several chunks are joined.
      #expect(address(sheet, 0..<4001) != start)
    }
  }

  @Test func rangesBeyondTheEndAreClamped() throws {
    try withTemporaryRealm { realm, _ in
      for count in [0, 5, 600, 9000] {
        let bytes = pattern(count)
        let sheet = try realm.write {
          realm.create(Sheet.self, value: ["body": bytes, "title": "abc"])
        }
        for sheet in [sheet, sheet.freeze(), Sheet(value: ["body": bytes, "title": "abc"])] {
          #expect(sheet.withBytes(\.body, in: 0..<20_000) { $0.copy } == bytes)
          #expect(sheet.withBytes(\.body, in: count..<count + 1) { $0.byteCount } == 0)
          #expect(sheet.withBytes(\.body, in: 10_000..<20_000) { $0.byteCount } == 0)
          #expect(sheet.withBytes(\.body, in: (-10)..<3) { $0.copy } == bytes.prefix(3))
          #expect(sheet.withBytes(\.title, in: 1...) { $0.copy } == Data("bc".utf8))
          #expect(sheet.withBytes(\.body, in: 0...Int.max) { $0.copy } == bytes)
          #expect(sheet.withBytes(\.body, in: ...Int.max) { $0.copy } == bytes)
          #expect(sheet.withBytes(\.body, in: -3...(-1)) { $0.byteCount } == 0)
          #expect(sheet.withBytes(\.body, in: ..<(-1)) { $0.byteCount } == 0)
          #expect(sheet.withBytes(\.body, in: Int.min...2) { $0.copy } == bytes.prefix(3))
          #expect(sheet.withBytes(\.body, in: Int.max...) { $0.byteCount } == 0)
        }
        try realm.write {
          #expect(sheet.withBytes(\.body, in: 10_000..<20_000) { $0.byteCount } == 0)
          #expect(sheet.withBytes(\.body, in: ..<20_000) { $0.copy } == bytes)
        }
      }
    }
  }

  // MARK: Closures that use the store

  /// The lent bytes stay those of the version at the call.
  @Test(arguments: [100, 600, 9000, 1 << 20], [false, true])
  func closureMayUseTheStore(_ count: Int, _ isFrozen: Bool) throws {
    try withTemporaryRealm { realm, store in
      let bytes = pattern(count)
      let live = try realm.write { realm.create(Sheet.self, value: ["body": bytes]) }
      let sheet = isFrozen ? live.freeze() : live
      try sheet.withBytes(\.body) { lent in
        let other = try store.open()
        for round in 1...20 {
          try realm.write {
            live.body = pattern(count, seed: round)
            realm.create(Sheet.self, value: ["body": pattern(count, seed: -round)])
          }
          try realm.refresh()
          #expect(live.body == pattern(count, seed: round))
          #expect(other.objects(Sheet.self).count >= 1)
          #expect(live.withBytes(\.body) { $0.copy } == pattern(count, seed: round))
          #expect(lent.copy == bytes)
        }
        try realm.write { realm.deleteAll() }
        #expect(live.isInvalidated)
        #expect(lent.copy == bytes)
      }
    }
  }

  @Test func closureMayReleaseTheLastReferenceToTheVersion() throws {
    try withTemporaryRealm { realm, _ in
      let bytes = pattern(9000)
      var frozen: Sheet?
      do {
        frozen = try realm.write { realm.create(Sheet.self, value: ["body": bytes]) }.freeze()
      }
      var all = Data()
      try frozen?.withChunks(\.body) { chunk in
        frozen = nil
        try realm.write { realm.deleteAll() }
        for _ in 0..<10 {
          try realm.write { _ = realm.create(Sheet.self, value: ["body": pattern(9000, seed: 1)]) }
        }
        all.append(chunk.copy)
      }
      #expect(all == bytes)
    }
  }

  @Test func otherThreadMovesTheViewMeanwhile() throws {
    try withTemporaryRealm { realm, store in
      let bytes = pattern(9000)
      let sheet = try realm.write { realm.create(Sheet.self, value: ["body": bytes]) }
      sheet.withBytes(\.body) { lent in
        let configuration = store.configuration
        onAnotherThread {
          let realm = try Realm(configuration: configuration)
          for round in 1...10 {
            try realm.write { realm.objects(Sheet.self).first?.body = pattern(9000, seed: round) }
          }
        }
        #expect(throws: Never.self) { try realm.refresh() }
        #expect(sheet.body == pattern(9000, seed: 10))
        #expect(lent.copy == bytes)
      }
    }
  }

  /// Bytes in a row, and in chunks. The other process would reuse their pages.
  @Test(arguments: [100, 9000]) func otherProcessCommitsMeanwhile(_ count: Int) throws {
    try withTemporaryRealm { realm, store in
      let text = String(repeating: "a", count: count)
      let tally = try realm.write { realm.create(Tally.self, value: ["id": 1, "padding": text]) }
      try tally.withBytes(\.padding) { lent in
        try realm.write { tally.padding = String(repeating: "b", count: count) }
        let process = TestProcess(["viewIncrement", store.path, "1", "200"])
        #expect(process.line() == "ready")
        process.go()
        #expect(process.line() == "done" && process.wait() == 0)
        try realm.refresh()
        try realm.write { tally.padding = String(repeating: "c", count: count) }
        #expect(tally.value == 200)
        #expect(lent.copy == Data(text.utf8))
      }
      #expect(tally.withBytes(\.padding) { $0.copy } == Data(tally.padding.utf8))
    }
  }

  @Test func writesGetCopies() throws {
    try withTemporaryRealm { realm, _ in
      let bytes = pattern(700)
      let sheet = try realm.write { realm.create(Sheet.self, value: ["body": pattern(3)]) }
      try realm.write {
        sheet.withBytes(\.body) { lent in
          sheet.body = bytes
          #expect(lent.copy == pattern(3))
          sheet.withBytes(\.body) { inner in
            sheet.body = pattern(9000)
            realm.delete(sheet)
            #expect(inner.copy == bytes)
          }
          #expect(lent.copy == pattern(3))
        }
        let new = realm.create(Sheet.self, value: ["body": bytes, "number": 7])
        #expect(new.withBytes(\.body, in: 600...) { $0.copy } == bytes[600...])
      }
      #expect(realm.objects(Sheet.self).first?.withBytes(\.body) { $0.copy } == bytes)
    }
  }

  // MARK: Objects that do not exist

  @Test func deletedObjectLendsNoBytes() throws {
    let log = RecordedLog(level: .warning)
    try withTemporaryRealm {
      $0.logger = log.logger
    } _: { realm, _ in
      let sheet = try realm.write {
        realm.create(Sheet.self, value: ["body": pattern(9000), "note": pattern(9)])
      }
      try realm.write { realm.delete(sheet) }
      for _ in 0..<3 {
        #expect(sheet.withBytes(\.body) { $0.byteCount } == 0)
        #expect(sheet.withBytes(\.note) { $0.byteCount } == nil)
        #expect(sheet.byteCount(of: \.body) == 0 && sheet.byteCount(of: \.note) == nil)
        sheet.withChunks(\.body) { _ in Issue.record("A deleted object has no chunks.") }
      }
      #expect(log.lines.wait(for: 1).count == 1, "\(log.lines.all)")
      expectError(.invalidatedObject) {
        try realm.write { sheet.withBytes(\.body) { #expect($0.byteCount == 0) } }
      }
      expectError(.invalidatedObject) { try realm.write { _ = sheet.byteCount(of: \.body) } }
      expectError(.invalidatedObject) {
        try realm.write { sheet.withChunks(\.body) { _ in Issue.record("No chunks.") } }
      }
      expectError(.invalidatedObject) {
        try realm.write { sheet.append([1], to: \.body) }
      }
    }
  }

  // MARK: Damage

  /// Damage is found before the closure is called.
  @Test(arguments: [0, 1, 2]) func damagedChunksAreNotLent(_ number: Int) throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    do {
      let realm = try store.open()
      let sheet = try realm.write {
        realm.create(Sheet.self, value: ["body": pattern(9000), "number": 4])
      }
      try store.cutBlob([3000, 3000, 3000])
      try store.edit { transaction in
        var chunk = transaction.entries(.blobs)[number]
        chunk.value.removeLast()
        try transaction.put(chunk, .blobs)
      }
      try realm.refresh()
      #expect(try store.report().problems.map(\.kind) == [.damagedBlob])
      #expect(!sheet.withBytes(\.body, in: 0..<10) { $0.isEmpty })
      sheet.withChunks(\.body) { _ in Issue.record("A chunk before a damaged one was lent.") }
      #expect(sheet.withBytes(\.body) { $0.byteCount } == 0)
      #expect(sheet.body.isEmpty && sheet.number == 4)
      expectError(.corrupted) { try realm.write { sheet.number = 5 } }
    }
    try Realm.close(store.configuration)
  }

  // MARK: Key paths

  @Test func inheritedAndForwardingKeyPathsAreFound() throws {
    try withTemporaryRealm { realm, _ in
      let bytes = pattern(9000)
      let sheet = try realm.write {
        realm.create(LargeSheet.self, value: ["body": bytes, "scale": 3])
      }
      for _ in 0..<3 {
        #expect(sheet.withBytes(\.body) { $0.copy } == bytes)
        #expect((sheet as Sheet).withBytes(\.body) { $0.copy } == bytes)
        #expect(sheet.withBytes(\.content) { $0.copy } == bytes)
        #expect(sheet.byteCount(of: \LargeSheet.title) == 0)
      }
    }
  }
}
