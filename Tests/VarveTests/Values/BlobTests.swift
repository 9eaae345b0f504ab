import Foundation
import Testing
import Varve
import VarveCore
import VarveStorage

@Model final class BlobOwner: Object {
  @Persisted var text: String
  @Persisted(indexed: true) var optionalText: String?
  @Persisted var data: Data?
  @Persisted var texts: List<String>
  @Persisted var datas: List<Data?>
  @Persisted var map: Map<String, String?>
  @Persisted var number = 0
}

@Suite struct BlobTests {
  private static let large = String(repeating: "a", count: 513)
  private static let larger = String(repeating: "b", count: 3 << 20)

  @Test func valuesOver512BytesAreStoredInBlobs() throws {
    try withTemporaryRealm { realm, store in
      let object = try realm.write { realm.create(BlobOwner.self) }
      for (count, blobs, chunks) in [
        (0, 0, 0), (511, 0, 0), (512, 0, 0), (513, 1, 1), (4080, 1, 1), (4081, 1, 2), (6080, 1, 2),
        (6081, 1, 1), ((1 << 20) - 16, 1, 1), (1 << 20, 1, 2), ((1 << 20) + 1, 1, 2),
        (3 << 20, 1, 4),
        (600, 1, 1), (512, 0, 0), (513, 1, 1), (0, 0, 0),
      ] {
        let text = String(repeating: "x", count: count)
        try realm.write { object.text = text }
        #expect(object.text == text)
        #expect(try store.report().blobCount == blobs, "\(count) bytes")
        #expect(try store.count(.blobs) == chunks, "\(count) bytes")
      }
      let data = Data(repeating: 9, count: 2 << 20)
      try realm.write { object.data = data }
      #expect(object.data == data)
      #expect(try store.count(.blobs) == 3)
      try realm.write { object.data = nil }
      #expect(try store.count(.blobs) == 0)
    }
  }

  @Test func settingOtherPropertyDoesNotRewriteBlob() throws {
    try withTemporaryRealm { realm, store in
      let object = try realm.write { realm.create(BlobOwner.self, value: ["text": Self.larger]) }
      let frozen = object.freeze()
      try realm.write { object.number = 7 }
      #expect(object.text == Self.larger && frozen.text == Self.larger && frozen.number == 0)
      #expect(try store.count(.blobs) == 4)
    }
  }

  @Test func frozenObjectReadsReplacedBlob() throws {
    try withTemporaryRealm { realm, store in
      let object = try realm.write { realm.create(BlobOwner.self, value: ["text": Self.larger]) }
      let frozen = object.freeze()
      try realm.write { object.text = "" }
      #expect(try store.count(.blobs) == 0)
      try realm.write { realm.delete(object) }
      #expect(frozen.text == Self.larger)
    }
  }

  @Test func listsFreeTheirBlobs() throws {
    try withTemporaryRealm { realm, store in
      let object = try realm.write { realm.create(BlobOwner.self) }
      try realm.write {
        object.texts.append(objectsIn: ["a", Self.large, Self.larger, "b", Self.large])
        object.datas.append(objectsIn: [nil, Data(repeating: 1, count: 600)])
      }
      #expect(try store.report().blobCount == 4)
      #expect(Array(object.texts) == ["a", Self.large, Self.larger, "b", Self.large])
      try realm.write { object.texts[1] = "small" }
      #expect(try store.report().blobCount == 3)
      try realm.write { object.texts[0] = Self.large }
      #expect(try store.report().blobCount == 4)
      try realm.write { object.texts.move(from: 0, to: 4) }
      #expect(Array(object.texts) == ["small", Self.larger, "b", Self.large, Self.large])
      try realm.write { object.texts.swapAt(0, 1) }
      #expect(Array(object.texts) == [Self.larger, "small", "b", Self.large, Self.large])
      #expect(try store.report().blobCount == 4)
      try realm.write { object.texts.removeSubrange(0..<4) }
      #expect(try store.report().blobCount == 2)
      try realm.write { object.texts = List() }
      #expect(try store.report().blobCount == 1)
      try realm.write { object.datas.removeAll() }
      #expect(try store.count(.blobs) == 0 && store.count(.lists) == 0)
    }
  }

  @Test func mapsFreeTheirBlobs() throws {
    try withTemporaryRealm { realm, store in
      let object = try realm.write { realm.create(BlobOwner.self) }
      let longKey = String(repeating: "k", count: 2_000)
      try realm.write {
        object.map["a"] = Self.large
        object.map["b"] = .some(nil)
        object.map[longKey] = Self.larger
      }
      #expect(try store.report().blobCount == 2)
      #expect(object.map[longKey] == Self.larger)
      try realm.write { object.map["a"] = "small" }
      try realm.write { object.map["b"] = Self.large }
      #expect(try store.report().blobCount == 2)
      try realm.write { object.map[longKey] = nil }
      #expect(try store.report().blobCount == 1)
      try realm.write { object.map.removeAll() }
      #expect(try store.count(.blobs) == 0 && store.count(.dictionaries) == 0)
    }
  }

  @Test func deletedObjectsFreeAllChunks() throws {
    try withTemporaryRealm { realm, store in
      try realm.write {
        for _ in 0..<3 {
          let object = realm.create(
            BlobOwner.self, value: ["text": Self.large, "optionalText": Self.larger])
          object.data = Data(repeating: 1, count: 1 << 20)
          object.texts.append(objectsIn: [Self.large, Self.larger])
          object.map["a"] = Self.large
        }
      }
      #expect(try store.report().blobCount == 18)
      try realm.write { realm.delete(realm.objects(BlobOwner.self)[1]) }
      #expect(try store.report().blobCount == 12)
      try realm.write { realm.deleteAll() }
      for table in [Table.blobs, .lists, .dictionaries, .collections, .indexes] {
        #expect(try store.count(table) == 0)
      }
    }
  }

  @Test func rolledBackWriteLeavesNoChunks() throws {
    try withTemporaryRealm { realm, store in
      let object = try realm.write { realm.create(BlobOwner.self, value: ["text": Self.large]) }
      expectCancelled {
        try realm.write {
          object.text = Self.larger
          object.texts.append(Self.larger)
          throw Cancelled()
        }
      }
      #expect(object.text == Self.large)
      #expect(try store.count(.blobs) == 1)
    }
  }

  @Test func chunksOfAnyLengthAreRead() throws {
    try withTemporaryRealm { realm, store in
      let bytes = Data((0..<9000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
      let text = String(repeating: "é", count: 4100)
      let object = try realm.write { realm.create(BlobOwner.self) }
      for lengths in [
        [9000], [1, 8999], [8999, 1], [3000, 3000, 3000], [Int](repeating: 90, count: 100),
      ] {
        try realm.write {
          object.data = bytes
          object.text = text
        }
        let old = object.freeze()
        try cut(bytes, lengths, in: store)
        try cut(Data(text.utf8), [8200], in: store)
        #expect(object.data == bytes && object.text == text)
        #expect(try store.report().isSound)
        #expect(old.data == bytes && old.text == text)
        try realm.write { object.number += 1 }
        #expect(object.data == bytes)
        try realm.write {
          object.data = nil
          object.text = ""
        }
        #expect(try store.count(.blobs) == 0)
        #expect(try store.report().isSound)
      }
    }
  }

  @Test func chunksAtWrongOffsetsAreReported() throws {
    try withTemporaryRealm { realm, store in
      let bytes = Data(repeating: 7, count: 9000)
      try realm.write { _ = realm.create(BlobOwner.self, value: ["data": bytes]) }
      try cut(bytes, [3000, 3000, 3000], in: store)
      let chunks = try store.configuration.store().newestSnapshot().entries(.blobs)
      for (number, offset) in [(1, 2999), (1, 3001), (2, 5999), (2, 6001), (2, 9000), (0, 1)] {
        try store.edit { transaction in
          try transaction.remove(chunks[number], .blobs)
          var moved = chunks[number]
          moved.key.replaceSubrange(8..., with: bigEndian(UInt64(offset), 4))
          try transaction.put(moved, .blobs)
        }
        let problems = try store.report().problems
        #expect(problems.map(\.kind) == [.damagedBlob], "\(number) \(offset)")
        try cut(bytes, [3000, 3000, 3000], in: store)
      }
      #expect(try store.report().isSound)
    }
  }

  @Test func chunksOfWrongTotalLengthAreReported() throws {
    try withTemporaryRealm { realm, store in
      let bytes = Data(repeating: 7, count: 9000)
      let object = try realm.write { realm.create(BlobOwner.self) }
      for lengths in [[8999], [9000, 1], [8176], [8176, 800, 24, 1]] {
        try realm.write { object.data = bytes }
        try cut(bytes + [1], lengths, in: store)
        #expect(try !store.report().isSound, "\(lengths)")
        try cut(bytes, [8176, 824], in: store)
        #expect(try store.report().isSound)
      }
    }
  }

  /// Cuts the blob that begins with the first of the given bytes into other chunks.
  private func cut(_ bytes: Data, _ lengths: [Int], in store: TemporaryRealm) throws {
    try store.edit { transaction in
      let entries = transaction.entries(.blobs)
      let first = try #require(entries.first { $0.value.first == bytes.first })
      let id = Array(first.key.prefix(8))
      for entry in entries where entry.key.starts(with: id) {
        try transaction.remove(entry, .blobs)
      }
      var start = 0
      for length in lengths {
        try transaction.put(
          StoredEntry(
            key: id + bigEndian(UInt64(start), 4), value: Array(bytes[start..<start + length])),
          .blobs)
        start += length
      }
    }
  }
}
