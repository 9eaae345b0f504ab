import Testing
import VarveStorage
import VarveTestSupport

@Suite struct ValueTypesTests {
  @Test func tableNamesRoundTrip() {
    #expect(
      Table.fixed.map(\.name) == [
        "catalog", "indexes", "collections", "lists", "dictionaries", "sets", "backlinks", "blobs",
      ])
    #expect(Table.objects(ofClass: 0).name == "c:0")
    #expect(Table.objects(ofClass: Table.maximumClassID).name == "c:4294967279")
    #expect(Table.objects(ofClass: 12).classID == 12)
    #expect(Table.catalog.classID == nil)
    for table in Table.fixed
      + [0, 1, 9, 10, 1234, Table.maximumClassID].map({ Table.objects(ofClass: $0) })
    {
      let name = Array(table.name.utf8)
      #expect(name.withUnsafeBytes { Table(name: $0) } == table)
    }
    for name in ["", "c:", "c:x", "c:01", "c:4294967280", "c:99999999999", "varve", "C:1", "list"] {
      #expect(Array(name.utf8).withUnsafeBytes { Table(name: $0) } == nil)
    }
  }

  @Test func rootRecordsSurviveCoding() throws {
    var root = RootRecord(incarnation: .random(), fileKey: .random())
    root.schemaGeneration = 3
    root.nextObjectID = 1 << 40
    root.nextCollectionID = 1 << 41
    root.nextNodeID = 1 << 42
    root.nextBlobID = 1 << 43
    root.nextClassID = 4
    root.nextPropertyID = 5
    root.nextIndexID = 6
    root.userSchemaVersion = 1 << 44
    root.hasAllDefaults = true
    let copy = try root.withBytes { bytes in
      #expect(bytes.count == RootRecord.byteCount)
      return try RootRecord(decoding: bytes)
    }
    #expect(copy == root)
  }

  /// The checksum is correct, but no store has such ids: adding to them could overflow.
  @Test func rootRecordWithIDsOutOfBoundsIsRefused() {
    func code(_ change: (inout RootRecord) -> Void) -> StorageError.Code? {
      var root = RootRecord(incarnation: .random(), fileKey: .random())
      change(&root)
      return errorCode { try root.withBytes { try RootRecord(decoding: $0) } }
    }
    for id in [0, RootRecord.counterLimit, .max] {
      #expect(code { $0.nextObjectID = id } == .corrupted)
      #expect(code { $0.nextCollectionID = id } == .corrupted)
      #expect(code { $0.nextNodeID = id } == .corrupted)
      #expect(code { $0.nextBlobID = id } == .corrupted)
      #expect(code { $0.schemaGeneration = id } == (id == 0 ? nil : .corrupted))
    }
    for id in [0, RootRecord.smallIDLimit, .max] {
      #expect(code { $0.nextPropertyID = id } == .corrupted)
      #expect(code { $0.nextIndexID = id } == .corrupted)
    }
    for id in [0, RootRecord.classIDLimit, .max] {
      #expect(code { $0.nextClassID = id } == .corrupted)
    }
    #expect(code { $0.nextObjectID = RootRecord.counterLimit - 1 } == nil)
    #expect(code { $0.nextClassID = RootRecord.classIDLimit - 1 } == nil)
    #expect(code { $0.userSchemaVersion = .max } == nil)
  }

  @Test func invalidRootRecordBytesAreRefused() throws {
    var random = SeededRandom()
    let root = RootRecord(incarnation: .random(), fileKey: .random())
    var bytes = root.withBytes { Array($0) }
    func code(_ bytes: [UInt8]) -> StorageError.Code? {
      errorCode { try bytes.withUnsafeBytes { try RootRecord(decoding: $0) } }
    }
    bytes[4] = 2
    #expect(code(bytes) == .newerFormat)
    bytes[4] = 0
    #expect(code(bytes) == .corrupted)
    bytes[4] = 1
    #expect(code(bytes) == nil)
    for offset in 8..<RootRecord.byteCount {
      var damaged = bytes
      damaged[offset] ^= 1 << Int.random(in: 0..<8, using: &random)
      #expect(code(damaged) == .corrupted, "byte \(offset), seed \(random.seed)")
    }
    for count in 0..<RootRecord.byteCount {
      let cut = Array(bytes[..<count])
      #expect(code(cut) != nil)
    }
    for _ in 0..<200 {
      let noise = random.bytes(Int.random(in: 0...300, using: &random))
      #expect(code(noise) != nil, "seed \(random.seed)")
    }
  }

  @Test func versionsOfOneHistoryAreOrdered() {
    let one = RandomIdentity(first: 1, second: 1)
    let two = RandomIdentity(first: 1, second: 2)
    let version = Version(incarnation: one, counter: 5)
    #expect(Version(incarnation: one, counter: 6).isNewer(than: version) == true)
    #expect(Version(incarnation: one, counter: 5).isNewer(than: version) == false)
    #expect(Version(incarnation: two, counter: 6).isNewer(than: version) == nil)
    #expect(Version(incarnation: two, counter: 5) != version)
  }

  @Test func errorDescriptionsIncludeContext() {
    let error = StorageError(.busy, "The write lock is held.", path: "/a", pid: 7, since: 2)
    #expect(
      "\(error)" == "busy: The write lock is held. (path: /a) (pid: 7) (since: 2.0)")
  }
}
