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
      // As in files written before values were split at page boundaries.
      for lengths in [[9000], [1, 8999], [8999, 1]] {
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

  /// Splits the blobs that begin with the given bytes at other offsets.
  private func cut(_ bytes: Data, _ lengths: [Int], in store: TemporaryRealm) throws {
    let transaction = try store.configuration.store().environment.beginWrite(timeout: .seconds(5))
    do {
      var keys: [[UInt8]] = []
      var cursor = transaction.cursor(.blobs)
      var isPresent = cursor.seekFirst()
      var isWanted = false
      while isPresent {
        let key = Array(cursor.key)
        if key.suffix(4) == [0, 0, 0, 0] { isWanted = cursor.value.first == bytes.first }
        if isWanted { keys.append(key) }
        isPresent = cursor.next()
      }
      for key in keys {
        _ = try key.withUnsafeBytes { try transaction.delete(.blobs, key: $0) }
      }
      var key = try #require(keys.first)
      var start = 0
      for (number, length) in lengths.enumerated() {
        key[11] = UInt8(number)
        let chunk = Array(bytes[start..<start + length])
        try key.withUnsafeBytes { key in
          try chunk.withUnsafeBytes { try transaction.put(.blobs, key: key, $0) }
        }
        start += length
      }
    } catch {
      transaction.abort()
      throw error
    }
    _ = try transaction.commit()
  }
}
