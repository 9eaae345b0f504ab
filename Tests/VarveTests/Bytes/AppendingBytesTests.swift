import Foundation
import Testing
import Varve
import VarveCore
import VarveJSONLines
import VarveStorage
import VarveTestSupport

@Model(indexes: [["body", "number"]]) final class IndexedSheet: Object {
  @Persisted var body: Data
  @Persisted(indexed: true) var note: Data?
  @Persisted var number = 0
}

@Suite struct AppendingBytesTests {
  /// Appends parts of a length until the data is longer than `end`, each in a transaction.
  @Test(arguments: [
    (1, 600), (100, 20_000), (513, 5000), (2000, 200_000), (4080, 300_000), (70_000, 400_000),
    (1_048_560, 3 << 20),
  ])
  func partsAreAppended(_ length: Int, _ end: Int) throws {
    try withTemporaryRealm { realm, store in
      let sheet = try realm.write { realm.create(Sheet.self) }
      var bytes = Data()
      var versions: [(Sheet, Data)] = []
      while bytes.count <= end {
        let part = pattern(length, seed: bytes.count)
        try realm.write {
          sheet.append(part, to: \.body)
          if bytes.count % 7 == 0 { sheet.append(part, to: \.note) }
        }
        bytes.append(part)
        if versions.count < 20 { versions.append((sheet.freeze(), bytes)) }
        #expect(sheet.byteCount(of: \.body) == bytes.count)
      }
      #expect(sheet.body == bytes)
      #expect(sheet.withBytes(\.body, in: 1..<end) { $0.copy } == bytes[1..<end])
      for (sheet, bytes) in versions { #expect(sheet.body == bytes) }
      try store.check()
      let blobs = [bytes, sheet.note ?? Data()].count { $0.count > 512 }
      #expect(try store.report().blobCount == blobs)
      try realm.write { realm.delete(sheet) }
      #expect(try store.count(.blobs) == 0)
    }
  }

  /// All parts in one transaction.
  @Test func partsAreAppendedInOneWrite() throws {
    try withTemporaryRealm { realm, store in
      var random = SeededRandom()
      let comment: Comment = "\(random)"
      var bytes = Data()
      let sheet = try realm.write {
        let sheet = realm.create(Sheet.self)
        for _ in 0..<300 {
          let part = pattern(random.below(5000), seed: bytes.count)
          sheet.append(part, to: \.body)
          bytes.append(part)
          if bytes.count % 10 == 0 { #expect(sheet.body == bytes, comment) }
        }
        return sheet
      }
      #expect(sheet.body == bytes, comment)
      try store.check()
    }
  }

  @Test func smallValueGrowsInItsRow() throws {
    try withTemporaryRealm { realm, store in
      let sheet = try realm.write { realm.create(Sheet.self, value: ["body": pattern(500)]) }
      try realm.write { sheet.append(pattern(12, seed: 500), to: \.body) }
      #expect(try store.count(.blobs) == 0)
      #expect(sheet.body == pattern(512).prefix(500) + pattern(12, seed: 500))
      try realm.write { sheet.append([7], to: \.body) }
      #expect(try store.chunkLengths() == [513])
      #expect(sheet.body.last == 7 && sheet.body.count == 513)
    }
  }

  @Test func nilAndNothingAreAppendedTo() throws {
    try withTemporaryRealm { realm, store in
      let sheet = try realm.write { realm.create(Sheet.self) }
      func append(_ sheet: Sheet) {
        sheet.append(Data(), to: \.note)
        #expect(sheet.note == Data())
        sheet.append([1, 2], to: \.note)
        sheet.append(pattern(600), to: \.note)
        sheet.append(Data(), to: \.note)
        #expect(sheet.note == Data([1, 2]) + pattern(600))
        sheet.note = nil
        sheet.append(pattern(9000), to: \.note)
        #expect(sheet.note == pattern(9000))
      }
      try realm.write { append(sheet) }
      append(Sheet())
      #expect(sheet.note == pattern(9000))
      #expect(try store.report().blobCount == 1)
    }
  }

  /// What is before the end is not written again.
  @Test func otherChunksStayAsTheyAre() throws {
    try withTemporaryRealm { realm, store in
      let bytes = pattern(3 << 20)
      let sheet = try realm.write { realm.create(Sheet.self, value: ["body": bytes]) }
      let mebibyte = 1 << 20
      #expect(try store.chunkLengths() == [mebibyte - 16, mebibyte - 16, mebibyte - 16, 48])
      try realm.write { sheet.append(pattern(100), to: \.body) }
      #expect(try store.chunkLengths() == [mebibyte - 16, mebibyte - 16, mebibyte - 16, 148])
      try realm.write { sheet.append(pattern(8100), to: \.body) }
      #expect(
        try store.chunkLengths() == [mebibyte - 16, mebibyte - 16, mebibyte - 16, 8176, 72])
      #expect(sheet.body == bytes + pattern(100) + pattern(8100))
    }
  }

  @Test func lentBytesAreAppended() throws {
    try withTemporaryRealm { realm, _ in
      let sheet = try realm.write { realm.create(Sheet.self, value: ["body": pattern(9000)]) }
      try realm.write {
        sheet.withBytes(\.body) { sheet.append($0, to: \.body) }
        sheet.freeze().withBytes(\.body) { sheet.append($0, to: \.note) }
      }
      #expect(sheet.body == pattern(9000) + pattern(9000) && sheet.note == pattern(9000))
    }
  }

  @Test func rollBackRestoresTheEnd() throws {
    try withTemporaryRealm { realm, store in
      for count in [3, 600, 9000] {
        let bytes = pattern(count)
        let sheet = try realm.write {
          realm.create(Sheet.self, value: ["body": bytes])
        }
        for length in [1, 500, 5000, 100_000] {
          expectCancelled {
            try realm.write {
              sheet.append(pattern(length, seed: 3), to: \.body)
              sheet.append(pattern(length, seed: 4), to: \.body)
              throw Cancelled()
            }
          }
          #expect(sheet.body == bytes)
          try store.check()
        }
        try realm.write { realm.delete(sheet) }
      }
    }
  }

  /// Nested transactions: the closures of a group.
  @Test func rolledBackClosureOfGroupRestoresTheEnd() async throws {
    try await withPatientStore { realm, store in
      let sheet = try realm.writeSynchronously {
        realm.create(Sheet.self, value: ["body": pattern(9000)])
      }
      let results = try await grouped(
        realm, store,
        [
          { sheet.append(pattern(700), to: \.body) },
          {
            sheet.append(pattern(70_000, seed: 1), to: \.body)
            throw Cancelled()
          },
          { sheet.append(pattern(700, seed: 2), to: \.body) },
        ])
      #expect(results.map { (try? $0.get()) != nil } == [true, false, true])
      try realm.refresh()
      #expect(sheet.body == pattern(9000) + pattern(700) + pattern(700, seed: 2))
    }
  }

  @Test func tooManyBytesFailTheWrite() throws {
    try withTemporaryRealm { realm, store in
      let sheet = try realm.write { realm.create(Sheet.self, value: ["body": pattern(9000)]) }
      // Never touched: the number of bytes is checked first.
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 30, alignment: 1)
      defer { memory.deallocate() }
      expectError(.valueTooLarge) {
        try realm.write { sheet.append(UnsafeRawBufferPointer(memory), to: \.body) }
      }
      #expect(sheet.body == pattern(9000))
      try realm.write { realm.delete(sheet) }
      expectError(.invalidatedObject) { try realm.write { sheet.append([1], to: \.body) } }
    }
  }

  @Test func indexedDataIsAppendedTo() throws {
    try withTemporaryRealm { realm, store in
      let object = try realm.write {
        realm.create(IndexedSheet.self, value: ["body": pattern(600), "note": pattern(10)])
      }
      for length in [5, 600] {
        let (body, note) = (object.body, object.note ?? Data())
        try realm.write {
          object.append(pattern(length), to: \.body)
          object.append(pattern(length), to: \.note)
        }
        #expect(object.body == body + pattern(length) && object.note == note + pattern(length))
        let found = realm.objects(IndexedSheet.self).where { $0.note == note + pattern(length) }
        #expect(found.count == 1)
        try store.check()
      }
    }
  }

  /// Salvages and imports make new blobs of what was appended.
  @Test func appendedBytesAreTransferred() throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    var bytes = Data()
    let text = URL(filePath: store.path + ".jsonl")
    do {
      let realm = try store.open()
      let sheet = try realm.write { realm.create(Sheet.self) }
      for length in [600, 1, 5000, 100, 100_000, 100] {
        let part = pattern(length, seed: length)
        try realm.write { sheet.append(part, to: \.body) }
        bytes.append(part)
      }
      try realm.exportJSONLines(to: text)
    }
    try store.close()
    let rescued = URL(filePath: store.path + ".rescued")
    let report = try Realm.salvage(from: URL(filePath: store.path), to: rescued)
    #expect(report.isComplete && report.rescuedCount == 1, "\(report)")
    let copy = Realm.Configuration(fileURL: rescued, durability: .none)
    #expect(try Realm(configuration: copy).objects(Sheet.self).first?.body == bytes)
    try Realm.close(copy)
    try withTemporaryRealm { realm, _ in
      try realm.importJSONLines(from: text)
      #expect(realm.objects(Sheet.self).first?.body == bytes)
    }
  }

  // MARK: Observers

  @Test func observersSeeTheProperty() throws {
    try withTemporaryRealm { realm, _ in
      let sheet = try realm.write { realm.create(Sheet.self, value: ["body": pattern(9000)]) }
      let queue = DispatchQueue(label: "test")
      let events = EventRecorder<[String]>()
      let token = try sheet.observe(on: queue) { change in
        if case .change(_, let properties) = change { events.note(properties.map(\.name)) }
      }
      defer { token.invalidate() }
      try realm.write { sheet.append([1], to: \.body) }
      #expect(events.wait(for: 1) == [["body"]])
      // Nothing is appended, as when a property is set to its value.
      try realm.write { sheet.append(Data(), to: \.body) }
      #expect(events.wait(for: 2) == [["body"], ["body"]])
      try realm.write { sheet.append(pattern(5), to: \.note) }
      #expect(events.wait(for: 3).last == ["note"])
    }
  }

  // MARK: Damage

  @Test func damagedEndIsNotAppendedTo() throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    do {
      let realm = try store.open()
      let sheet = try realm.write { realm.create(Sheet.self, value: ["body": pattern(9000)]) }
      try store.edit { transaction in
        var chunk = transaction.entries(.blobs)[1]
        chunk.value.removeLast()
        try transaction.put(chunk, .blobs)
      }
      try realm.refresh()
      expectError(.corrupted) { try realm.write { sheet.append([1], to: \.body) } }
    }
    try Realm.close(store.configuration)
  }

  /// The checksum of appended bytes continues that of the bytes before.
  @Test func changedBytesAreFoundAfterAppending() throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    do {
      let realm = try store.open()
      let sheet = try realm.write { realm.create(Sheet.self, value: ["body": pattern(9000)]) }
      try realm.write { sheet.append(pattern(4000), to: \.body) }
      try store.check()
      for entry in 0..<(try store.chunkLengths().count) {
        try store.edit { transaction in
          var chunk = transaction.entries(.blobs)[entry]
          chunk.value[chunk.value.count - 1] ^= 1
          try transaction.put(chunk, .blobs)
        }
        #expect(try store.report().problems.map(\.kind) == [.damagedBlob])
        try store.edit { transaction in
          var chunk = transaction.entries(.blobs)[entry]
          chunk.value[chunk.value.count - 1] ^= 1
          try transaction.put(chunk, .blobs)
        }
      }
      try store.check()
    }
    try Realm.close(store.configuration)
  }
}
