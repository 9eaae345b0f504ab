import Testing
import Varve
import VarveCore
import VarveStorage

/// The bytes of sets, compared with Docs/Format.md.
@Suite struct SetFormatTests {
  @Test func setsContainElements() throws {
    try withTemporaryRealm { realm, store in
      let long = String(repeating: "k", count: 600)
      let bag = Bag(7, coins: [Coin(-1)])
      bag.optionalInts.insert(objectsIn: [-2, nil])
      bag.doubles.insert(objectsIn: [-0.0, .nan])
      bag.strings.insert(objectsIn: [long, "a\0"])
      try realm.write { realm.add(bag) }
      let dump = try FormatDump(try store.configuration.store().newestSnapshot())

      var sets: [[UInt8]: [(key: [UInt8], value: [UInt8])]] = [:]
      for (key, value) in dump[.sets] {
        let element = try plainEntryElement(key, value)
        sets[Array(key.prefix(8)), default: []].append((Array(key.dropFirst(8)), element))
      }
      // In the order of the properties.
      let ids = sets.keys.sorted { $0.lexicographicallyPrecedes($1) }
      try #require(ids == (1...4).map { bigEndian($0, 8) })
      let ints = try #require(sets[ids[0]])
      #expect(ints.map(\.key) == [[1], [2] + bigEndian(UInt64(bitPattern: -2) ^ 1 << 63, 8)])
      #expect(ints.map(\.value) == [[0], [5] + littleEndian(UInt64(bitPattern: -2), 8)])
      let doubles = try #require(sets[ids[1]])
      #expect(doubles.map(\.key) == [[2] + bigEndian(0, 8), [2] + bigEndian(1 << 63, 8)])
      #expect(doubles.last?.value == [7] + littleEndian((-0.0).bitPattern, 8))
      let strings = try #require(sets[ids[2]])
      let whole = [2] + Array(long.utf8) + [0, 1]
      let cut: [UInt8] = whole.prefix(440) + [2] + plainSipHash(whole, key: dump.fileKey)
      #expect(strings.map(\.key) == [[2, 0x61, 0, 0xFF, 0, 1], cut])
      #expect(strings.map(\.value) == [[8, 0x61, 0], [8] + Array(long.utf8)])
      let coins = try #require(sets[ids[3]])
      let target = bigEndian(UInt64(bitPattern: -1) ^ 1 << 63, 8)
      let classID = try #require(dump.classes["Coin"]).id
      #expect(coins.map(\.key) == [[2] + target])
      #expect(coins.map(\.value) == [[15] + littleEndian(UInt64(classID), 4) + target.reversed()])

      #expect(dump[.blobs].isEmpty && dump[.collections].isEmpty)
      #expect(dump[.backlinks].map(\.key.count) == [28])
      #expect(dump[.backlinks].map(\.value) == [[1, 0, 0, 0]])
    }
  }
}
