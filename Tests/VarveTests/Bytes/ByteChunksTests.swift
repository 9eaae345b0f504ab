import Foundation
import Testing
import Varve
import VarveStorage

@Suite struct ByteChunksTests {
  private func all(_ chunks: ByteChunks) async -> Data {
    var all = Data()
    for await chunk in chunks { all.append(chunk) }
    return all
  }

  /// The sequences that pin an old version, with their number and place.
  private func pins(_ realm: Realm) throws -> [String] {
    try realm.storageReport().versions.filter { $0.distance > 0 }.flatMap(\.holders)
      .map { "\($0.count) \($0.kind) \($0.place ?? "-")" }
  }

  @Test(arguments: [0, 5, 600, 9000, 3 << 20]) func chunksAreCopied(_ count: Int) async throws {
    try await withTemporaryRealm { realm, _ in
      let bytes = pattern(count)
      let value: [String: Any] = ["body": bytes, "note": bytes, "title": "abc"]
      let sheet = try realm.writeSynchronously { realm.create(Sheet.self, value: value) }
      for sheet in [sheet, sheet.freeze(), Sheet(value: value)] {
        #expect(await all(sheet.chunks(of: \.body)) == bytes)
        #expect(await all(sheet.chunks(of: \.note, in: 3...)) == bytes.dropFirst(3))
        #expect(await all(sheet.chunks(of: \.title, in: ..<2)) == Data("ab".utf8))
        #expect(sheet.chunks(of: \.body).byteCount == count)
        #expect(sheet.chunks(of: \.body, in: 100..<700).byteCount == max(0, min(count, 700) - 100))
        #expect(await all(sheet.chunks(of: \.caption)).isEmpty)
      }
      let inWrite = try realm.writeSynchronously {
        sheet.body = pattern(count, seed: 1)
        return sheet.chunks(of: \.body)
      }
      try realm.writeSynchronously { realm.delete(sheet) }
      #expect(await all(inWrite) == pattern(count, seed: 1))
      #expect(await all(sheet.chunks(of: \.body)).isEmpty)
    }
  }

  @Test func versionIsPinnedUntilTheEnd() async throws {
    try await withTemporaryRealm { realm, _ in
      let bytes = pattern(3 << 20)
      let sheet = try realm.writeSynchronously { realm.create(Sheet.self, value: ["body": bytes]) }
      let line = #line + 1
      var iterator = sheet.chunks(of: \.body).makeAsyncIterator()
      try realm.writeSynchronously { realm.delete(sheet) }
      try realm.writeSynchronously { _ = realm.create(Sheet.self, value: ["body": bytes]) }
      let place = "VarveTests/ByteChunksTests.swift:\(line)"
      #expect(try pins(realm) == ["1 byteChunks \(place)"])
      var found = Data()
      while let chunk = await iterator.next() {
        #expect(try pins(realm) == ["1 byteChunks \(place)"])
        found.append(chunk)
      }
      #expect(found == bytes)
      #expect(try pins(realm).isEmpty)
      #expect(await iterator.next() == nil)
    }
  }

  @Test(arguments: [0, 5, 600, 65_536]) func smallBytesPinNothing(_ count: Int) async throws {
    try await withTemporaryRealm { realm, _ in
      let bytes = pattern(count)
      let sheet = try realm.writeSynchronously { realm.create(Sheet.self, value: ["body": bytes]) }
      let chunks = sheet.chunks(of: \.body)
      try realm.writeSynchronously { realm.delete(sheet) }
      #expect(try pins(realm).isEmpty)
      #expect(await all(chunks) == bytes)
    }
  }

  @Test func droppedSequencePinsNothing() async throws {
    try await withTemporaryRealm { realm, _ in
      let bytes = pattern(3 << 20)
      let sheet = try realm.writeSynchronously { realm.create(Sheet.self, value: ["body": bytes]) }
      do {
        let chunks = [
          sheet.chunks(of: \.body),
          sheet.freeze().chunks(of: \.body, in: 5...),
        ]
        try realm.writeSynchronously { sheet.number = 1 }
        #expect(try pins(realm).count == 2)
        for await chunk in chunks[0] {
          #expect(bytes.starts(with: chunk))
          break
        }
        #expect(try pins(realm).count == 2)
      }
      #expect(try pins(realm).isEmpty)
    }
  }

  @Test func damageGivesNoChunks() async throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    do {
      let realm = try store.open()
      let sheet = try realm.writeSynchronously {
        realm.create(Sheet.self, value: ["body": pattern(9000)])
      }
      try store.edit { try $0.remove($0.entries(.blobs)[1], .blobs) }
      try realm.refresh()
      #expect(await all(sheet.chunks(of: \.body)).isEmpty)
      #expect(await all(sheet.chunks(of: \.body, in: ..<8000)) == pattern(9000).prefix(8000))
    }
    try Realm.close(store.configuration)
  }
}
