import Foundation
import Testing
import Varve
import VarveCore
import VarveEncoding
import VarveJSONLines
import VarveLocks
import VarveTestSupport

/// What is rescued of damaged files, compared with an export of the undamaged one.
@Suite struct SalvageTests {
  private static let types: [ObjectBase.Type] = [
    Ware.self, Maker.self, Place.self, Label.self, Crate.self, Lid.self,
  ]
  private static let pageSize = 4096

  /// A file and its export.
  private struct Original {
    let directory: TransferDirectory
    let bytes: Data
    let text: String
    let lines: Set<Substring>

    init(_ directory: TransferDirectory, _ random: SeededRandom, count: Int) throws {
      try self.init(directory) { realm in
        var wares = RandomWares(random, realm)
        try wares.fill(count)
      }
    }

    init(_ directory: TransferDirectory, _ fill: (Realm) throws -> Void) throws {
      let realm = try directory.open("original.varve", SalvageTests.types)
      try fill(realm)
      text = try directory.text(realm)
      lines = Set(text.split(separator: "\n"))
      bytes = try Data(contentsOf: directory.url.appending(path: "original.varve"))
      self.directory = directory
    }

    /// Salvages a damaged copy.
    ///
    /// - Returns: The report and the export of the new store; nil when nothing was rescued.
    func salvage(
      _ damaged: Data, read: SalvageCopyRead? = nil
    ) throws -> (report: SalvageReport, text: String)? {
      let source = directory.path("\(UUID()).damaged")
      let target = "\(UUID()).varve"
      try damaged.write(to: URL(filePath: source))
      defer {
        try? FileManager.default.removeItem(atPath: source)
        try? FileManager.default.removeItem(atPath: directory.path(target))
      }
      let report: SalvageReport
      do {
        report = try Salvage.run(from: source, to: directory.path(target), read: read)
      } catch let failure as Failure
        where failure.code == .corrupted || failure.code == .invalidDatabase
      {
        #expect(!directory.exists(target))
        return nil
      }
      #expect(try Data(contentsOf: URL(filePath: source)) == damaged)
      let configuration = Realm.Configuration(
        fileURL: URL(filePath: directory.path(target)), readOnly: true, mapReservation: 1 << 28,
        isDynamic: true, checksOnOpening: true)
      let text = try directory.text(try Realm(configuration: configuration))
      try Realm.close(configuration)
      return (report, text)
    }
  }

  private typealias SalvageCopyRead = (Int32, UnsafeMutableRawPointer, Int, Int) -> Int

  /// The class and the key or number of a line of an export.
  private func identity(_ line: Substring) throws -> String {
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    let name = try #require(object?["class"])
    return "\(name) \(String(describing: object?["key"] ?? object?["id"]))"
  }

  @Test(arguments: 0..<4) func soundFileIsRescuedCompletely(_ run: Int) throws {
    let random = SeededRandom(seed: SeededRandom().seed &+ UInt64(run))
    try TransferDirectory.with { directory in
      let original = try Original(directory, random, count: 10 + 40 * run)
      let result = try #require(try original.salvage(original.bytes))
      #expect(result.report.isComplete, "\(random) \(result.report)")
      #expect(result.text == original.text, "\(random)")
    }
  }

  /// Each of many pages in turn becomes zeros: what is missing is reported, and nothing else changes.
  @Test func lossOfAnyPageIsReported() throws {
    var random = SeededRandom()
    try TransferDirectory.with { directory in
      let original = try Original(directory, random, count: 30)
      var older = original.bytes
      let newest = newestMeta(older)
      older.resetBytes(in: newest..<newest + Self.pageSize)
      let earlier = try #require(try original.salvage(older))
      let all = Set(try original.lines.filter { !$0.contains("\"format\"") }.map(identity))
      var (completeCount, partialCount) = (0, 0)
      let pageCount = original.bytes.count / Self.pageSize
      for page in stride(from: 2 + random.below(2), to: pageCount, by: 2) {
        var damaged = original.bytes
        damaged.resetBytes(in: page * Self.pageSize..<(page + 1) * Self.pageSize)
        guard let (report, text) = try original.salvage(damaged) else { continue }
        if report.isComplete {
          completeCount += 1
          #expect(text == original.text, "\(random) page \(page)")
          continue
        }
        partialCount += 1
        if report.isEarlierVersion {
          // It shares no damaged page with the newest version, or it could not be read either.
          #expect(text == earlier.text, "\(random) page \(page)")
          continue
        }
        let lines = text.split(separator: "\n").filter { !$0.contains("\"format\"") }
        let found = Set(try lines.map(identity))
        #expect(found.isSubset(of: all), "\(random) page \(page)")
        let missing = all.count - found.count
        #expect(
          missing <= report.lostCount
            || report.lostClasses.contains { $0.objectCount == nil },
          "\(random) page \(page): \(missing) missing, \(report)")
        let changed = lines.count { !original.lines.contains($0) }
        let losses = report.lostValueCount + report.lostElementCount + report.lostLinkCount
        #expect(
          // Missing entries of nested dictionaries are not counted.
          changed == 0 || losses > 0 || !report.lostProperties.isEmpty || report.lacksPages,
          "\(random) page \(page): \(changed) changed, \(report)")
      }
      // Pages of indexes and backlinks, and pages of rows.
      #expect(completeCount > 0 && partialCount > 0, "\(random)")
    }
  }

  @Test func randomDamageIsNeverCalledCompleteWithObjectsMissing() throws {
    var random = SeededRandom()
    try TransferDirectory.with { directory in
      let original = try Original(directory, random, count: 40)
      let objectCount = original.lines.count
      for _ in 0..<15 {
        var damaged = original.bytes
        let start = random.below(damaged.count / Self.pageSize) * Self.pageSize
        for _ in 0..<6 {
          damaged[start + random.below(random.oneIn(2) ? 64 : Self.pageSize)] =
            UInt8(truncatingIfNeeded: random.next())
        }
        guard let (report, text) = try original.salvage(damaged) else { continue }
        if report.isComplete {
          #expect(text.split(separator: "\n").count == objectCount, "\(random)")
        }
      }
    }
  }

  /// A bit of a value changes: it is noticed, or is made again.
  @Test func damagedValuesAreNeverRescuedAsComplete() throws {
    var random = SeededRandom()
    try TransferDirectory.with { directory in
      let original = try Original(directory, random, count: 40)
      let values = storedValues(original.bytes)
      try #require(!values.isEmpty)
      var completeCount = 0
      for _ in 0..<30 {
        var damaged = original.bytes
        let value = random.pick(values)
        damaged[value.lowerBound + random.below(value.count)] ^= 1 << UInt8(random.below(8))
        guard let (report, text) = try original.salvage(damaged), report.isComplete else {
          continue
        }
        completeCount += 1
        #expect(text == original.text, "\(random) \(value)")
      }
      // Pages that are not in use, and records of collections that are not nested.
      #expect(completeCount > 0, "\(random)")
    }
  }

  /// The values in leaf pages: rows, list nodes, entries of maps and sets, and short chunks have
  /// checksums, records of collections are compared with others, and indexes are made again.
  private func storedValues(_ bytes: Data) -> [Range<Int>] {
    var values: [Range<Int>] = []
    for page in 2..<bytes.count / Self.pageSize {
      let start = page * Self.pageSize
      let lower = Int(bytes[start + 12]) | Int(bytes[start + 13]) << 8
      guard number(bytes, at: start) == UInt64(page), bytes[start + 10] == 2,
        bytes[start + 11] == 0, lower >= 16, lower <= Self.pageSize
      else { continue }
      for pointer in stride(from: start + 16, to: start + lower, by: 2) {
        let node = start + (Int(bytes[pointer]) | Int(bytes[pointer + 1]) << 8)
        guard node + 8 <= start + Self.pageSize, bytes[node + 4] == 0 else { continue }
        let keySize = Int(bytes[node + 6]) | Int(bytes[node + 7]) << 8
        let size = Int(number(bytes, at: node) & 0xFFFF_FFFF)
        let value = node + 8 + keySize
        guard size > 0, value + size <= start + Self.pageSize else { continue }
        values.append(value..<value + size)
      }
    }
    return values
  }

  @Test func nestedListWithUnreadableRootIsReported() throws {
    try TransferDirectory.with { directory in
      let original = try Original(directory) { realm in
        try realm.write {
          let ware = realm.create(Ware.self, value: ["number": 1])
          ware.anything = .fromArray([.string("first in list"), .string("second in list")])
          let other = realm.create(Ware.self, value: ["number": 2])
          other.anything = .fromArray([])
        }
      }
      // An empty nested list has no nodes.
      let sound = try #require(try original.salvage(original.bytes))
      #expect(sound.report.isComplete && sound.text == original.text, "\(sound.report)")
      var damaged = original.bytes
      var changed = 0
      for range in ranges(of: "first in list", in: damaged) {
        // Before the element: the header of 12 bytes, two offsets, and the tag.
        let node = range.lowerBound - 1 - 4 - 12
        guard damaged[node + 4] == 1, damaged[node + 6] == 2 else { continue }
        damaged[node + 6] ^= 1
        changed += 1
      }
      #expect(changed > 0)
      let (report, text) = try #require(try original.salvage(damaged))
      #expect(!report.isComplete && report.rescuedCount == 2, "\(report)")
      #expect(report.lostElementCount > 0 && report.damagedPageCount == 0, "\(report)")
      #expect(!text.contains("first in list"))
    }
  }

  /// The root of the list counts two billion elements, and its checksum is wrong.
  @Test func countOfDamagedListIsNotReportedAsLost() throws {
    try TransferDirectory.with { directory in
      let original = try Original(directory) { realm in
        try realm.write {
          let ware = realm.create(Ware.self, value: ["number": 1])
          ware.anything = .fromArray((0..<1_000).map { .string("element \($0)") })
        }
      }
      var damaged = original.bytes
      var changed = 0
      for value in storedValues(original.bytes)
      where value.count >= 32 && damaged[value.lowerBound + 4] == 2
        && number(damaged, at: value.lowerBound + 4) >> 32 == UInt64(value.count)
      {
        // After the header of 12 bytes, the id and the stamp of the first child: its count.
        damaged[value.lowerBound + 12 + 16 + 3] = 0x7F
        changed += 1
      }
      #expect(changed > 0)
      let (report, text) = try #require(try original.salvage(damaged))
      #expect(!report.isComplete && report.rescuedCount == 1, "\(report)")
      #expect(report.lostElementCount == 1 && report.damagedPageCount == 0, "\(report)")
      #expect(!text.contains("element 1"))
    }
  }

  @Test func undecodableEntryOfNestedDictionaryIsReported() throws {
    try TransferDirectory.with { directory in
      let original = try Original(directory) { realm in
        try realm.write {
          let ware = realm.create(Ware.self, value: ["number": 1])
          ware.anything = .fromDictionary([
            "one": .string("value of one"), "two": .string("value of two"),
          ])
        }
      }
      var damaged = original.bytes
      var changed = 0
      for range in ranges(of: "value of one", in: damaged) {
        // The tag then claims that a whole key follows, whose length is beyond the value.
        damaged[range.lowerBound - 1] |= 0x80
        changed += 1
      }
      #expect(changed > 0)
      let (report, text) = try #require(try original.salvage(damaged))
      #expect(!report.isComplete && report.rescuedCount == 1, "\(report)")
      #expect(report.lostElementCount == 1 && report.damagedPageCount == 0, "\(report)")
      #expect(!text.contains("value of one") && text.contains("value of two"))
    }
  }

  @Test func setElementUnderAnotherKeyIsReported() throws {
    try TransferDirectory.with { directory in
      let original = try Original(directory) { realm in
        try realm.write {
          let ware = realm.create(Ware.self, value: ["number": 1])
          ware.names.insert("element 1")
          ware.names.insert("element 2")
        }
      }
      var damaged = original.bytes
      let name = Data("element 1".utf8)
      var changed = 0
      for range in ranges(of: "element 1", in: damaged) {
        // After the key: its end mark of two bytes, and the tag. Both elements become equal.
        let value = range.upperBound + 3
        guard value + name.count <= damaged.count,
          damaged[value..<value + name.count] == name
        else { continue }
        damaged[value + name.count - 1] = UInt8(ascii: "2")
        changed += 1
      }
      #expect(changed > 0)
      let (report, text) = try #require(try original.salvage(damaged))
      #expect(!report.isComplete && report.rescuedCount == 1, "\(report)")
      #expect(report.lostElementCount == 1 && report.damagedPageCount == 0, "\(report)")
      #expect(!text.contains("element 1") && text.contains("element 2"))
    }
  }

  /// The id of a nested list becomes that of another one, in another object or in the same map.
  @Test(arguments: [false, true])
  func nestedListOfAnotherValueIsNotCopied(_ isSameMap: Bool) throws {
    try TransferDirectory.with { directory in
      let original = try Original(directory) { realm in
        try realm.write {
          let place = realm.create(Place.self, value: ["name": "a"])
          let other = isSameMap ? place : realm.create(Place.self, value: ["name": "b"])
          place.known["key of first"] = .fromArray([.string("first list")])
          other.known["key of second"] = .fromArray([.string("second list")])
        }
      }
      var damaged = original.bytes
      var ids: Set<Data> = []
      for range in ranges(of: "key of second", in: damaged) {
        // After the key: its end mark of two bytes, the tag of a list, and the id.
        let tag = range.upperBound + 2
        if damaged[tag] == 0x1E { ids.insert(Data(damaged[tag + 1..<tag + 9])) }
      }
      let id = try #require(ids.first)
      #expect(ids.count == 1)
      var changed = 0
      for range in ranges(of: "key of first", in: damaged) {
        let tag = range.upperBound + 2
        guard damaged[tag] == 0x1E else { continue }
        damaged.replaceSubrange(tag + 1..<tag + 9, with: id)
        // The checksum, of the key from the id of its map on, and of the element, is valid.
        let entry = damaged[range.lowerBound - 8..<tag + 17]
        let checksum = entry.withUnsafeBytes { CRC32C.checksum($0) }
        damaged.replaceSubrange(
          tag + 17..<tag + 21, with: withUnsafeBytes(of: checksum.littleEndian) { Array($0) })
        changed += 1
      }
      #expect(changed > 0)
      let (report, text) = try #require(try original.salvage(damaged))
      #expect(!report.isComplete && report.rescuedCount == (isSameMap ? 1 : 2), "\(report)")
      #expect(report.lostValueCount == 1 && report.damagedPageCount == 0, "\(report)")
      #expect(text.components(separatedBy: "second list").count == 2)
      #expect(!text.contains("first list"))
    }
  }

  private func ranges(of text: String, in bytes: Data) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = bytes.startIndex
    while let range = bytes.range(of: Data(text.utf8), in: start..<bytes.endIndex) {
      ranges.append(range)
      start = range.upperBound
    }
    return ranges
  }

  @Test func damagedMetaPageIsNotComplete() throws {
    try TransferDirectory.with { directory in
      let original = try Original(directory, SeededRandom(default: 1), count: 20)
      var texts: Set<String> = []
      for page in 0..<2 {
        var damaged = original.bytes
        damaged.resetBytes(in: page * Self.pageSize..<(page + 1) * Self.pageSize)
        let result = try #require(try original.salvage(damaged))
        #expect(result.report.isMetaDamaged && !result.report.isComplete)
        texts.insert(result.text)
      }
      // One of the two names the newest version.
      #expect(texts.contains(original.text))
      var damaged = original.bytes
      damaged.resetBytes(in: 0..<2 * Self.pageSize)
      #expect(try original.salvage(damaged) == nil)
    }
  }

  /// All pages of the file are read, wherever the version seems to end.
  @Test func wrongLastPageLosesNothing() throws {
    try TransferDirectory.with { directory in
      let original = try Original(directory, SeededRandom(default: 5), count: 60)
      let offset = newestMeta(original.bytes) + 136
      let last = number(original.bytes, at: offset)
      let highest = UInt64(1) << UInt64(63 - last.leadingZeroBitCount)
      // Pages in use lie beyond the first one; no file has the others.
      for wrong in [last ^ highest, last | 1 << 40, .max] {
        var damaged = original.bytes
        damaged.replaceSubrange(
          offset..<offset + 8, with: withUnsafeBytes(of: wrong) { Array($0) })
        let result = try #require(try original.salvage(damaged))
        #expect(result.text == original.text, "\(wrong)")
        #expect(result.report.isMetaDamaged && !result.report.isComplete, "\(wrong)")
      }
    }
  }

  @Test func earlierVersionIsUsedAndNotComplete() throws {
    try TransferDirectory.with { directory in
      let original = try Original(directory, SeededRandom(default: 2), count: 20)
      // The root of the unnamed table of the newest version.
      let root = Int(number(original.bytes, at: newestMeta(original.bytes) + 88 + 40))
      var damaged = original.bytes
      damaged.resetBytes(in: root * Self.pageSize..<(root + 1) * Self.pageSize)
      let result = try #require(try original.salvage(damaged))
      #expect(result.report.isEarlierVersion && !result.report.isComplete)
    }
  }

  /// The offset of the meta page of the newest version.
  private func newestMeta(_ bytes: Data) -> Int {
    let ids = (0..<2).map { number(bytes, at: $0 * Self.pageSize + 144) }
    return ids[0] > ids[1] ? 0 : Self.pageSize
  }

  private func number(_ bytes: Data, at offset: Int) -> UInt64 {
    bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
  }

  @Test func truncatedFileIsNotComplete() throws {
    try TransferDirectory.with { directory in
      let original = try Original(directory, SeededRandom(default: 3), count: 60)
      var count = 0
      for length in stride(from: 0, to: original.bytes.count - 2 * Self.pageSize, by: 40_000) {
        guard let result = try original.salvage(original.bytes.prefix(length)) else { continue }
        count += 1
        #expect(!result.report.isComplete || result.text == original.text, "\(length)")
      }
      #expect(count > 0)
    }
  }

  @Test func unreadableBlocksAreReported() throws {
    try TransferDirectory.with { directory in
      let original = try Original(directory, SeededRandom(default: 4), count: 60)
      var (completeCount, partialCount) = (0, 0)
      for page in stride(from: 2, to: original.bytes.count / Self.pageSize, by: 7) {
        let start = page * Self.pageSize + 512
        let result = try original.salvage(original.bytes) { descriptor, buffer, count, offset in
          guard offset + count <= start || offset > start else {
            errno = EIO
            return -1
          }
          return pread(descriptor, buffer, count, off_t(offset))
        }
        guard let result else { continue }
        #expect(result.report.unreadableByteCount == Self.pageSize)
        if result.report.isComplete {
          completeCount += 1
          #expect(result.text == original.text, "\(page)")
        } else {
          partialCount += 1
        }
      }
      #expect(completeCount > 0 && partialCount > 0)
    }
  }

  @Test func holesOfSparseFileTakeNoSpaceInTheCopy() throws {
    try TransferDirectory.with { directory in
      let original = try Original(directory, SeededRandom(default: 5), count: 20)
      let source = directory.path("sparse")
      try original.bytes.write(to: URL(filePath: source))
      let size = 256 << 20
      try #require(truncate(source, off_t(size)) == 0)
      var occupied: Int?
      let report = try Salvage.run(from: source, to: directory.path("new.varve")) {
        descriptor, buffer, count, offset in
        // The beginning is read again when the file has been copied.
        if offset == 0 { occupied = occupiedByteCount(ofCopyIn: directory.url) }
        return pread(descriptor, buffer, count, off_t(offset))
      }
      #expect(report.isComplete && report.rescuedCount > 0, "\(report)")
      let byteCount = try #require(occupied)
      #expect(byteCount > 0 && byteCount < size / 8)
    }
  }

  /// The bytes that the copy of the damaged file occupies during a salvage.
  private func occupiedByteCount(ofCopyIn directory: URL) -> Int? {
    let paths = FileManager.default.subpaths(atPath: directory.path) ?? []
    guard let copy = paths.first(where: { $0.hasSuffix("/damaged") }) else { return nil }
    var file = stat()
    guard lstat(directory.appending(path: copy).path, &file) == 0 else { return nil }
    return 512 * Int(file.st_blocks)
  }

  @Test func tooLongKeyIsLeftOut() throws {
    try TransferDirectory.with { directory in
      let realm = try directory.open("long.varve", Self.types)
      try realm.write {
        let ware = realm.create(Ware.self, value: ["number": 1])
        ware.names.insert(String(repeating: "z", count: 1_500))
        ware.names.insert("a")
        realm.create(Ware.self, value: ["number": 2])
      }
      try Realm.close(realm.configuration)
      var bytes = try Data(contentsOf: directory.url.appending(path: "long.varve"))
      // The entry of the long element in the table of sets: its key becomes longer than the
      // greatest key of LMDB, and its value shorter by as much.
      var changed = 0
      let pattern = Data(repeating: UInt8(ascii: "z"), count: 439)
      var searched = bytes.startIndex
      while let range = bytes.range(of: pattern, in: searched..<bytes.endIndex) {
        searched = range.upperBound
        // The key begins with the id of the collection and the presence byte.
        let node = range.lowerBound - 9 - 8
        let keySize = Int(bytes[node + 6]) | Int(bytes[node + 7]) << 8
        guard keySize == 8 + 457 else { continue }
        let valueSize = Int(number(bytes, at: node) & 0xFFFF_FFFF) - 135
        bytes[node] = UInt8(valueSize & 0xFF)
        bytes[node + 1] = UInt8(valueSize >> 8)
        bytes[node + 6] = UInt8((keySize + 135) & 0xFF)
        bytes[node + 7] = UInt8((keySize + 135) >> 8)
        changed += 1
      }
      #expect(changed > 0)
      let source = directory.path("damaged")
      try bytes.write(to: URL(filePath: source))
      let report = try Salvage.run(from: source, to: directory.path("new.varve"))
      #expect(!report.isComplete && report.rescuedCount == 2)
      #expect(report.lostElementCount == 1 && report.damagedPageCount == 1, "\(report)")
    }
  }

  @Test func generatedKeysContinue() throws {
    try TransferDirectory.with { directory in
      do {
        let realm = try directory.open("keys.varve", [Permit.self])
        try realm.write {
          for _ in 0..<5 { realm.create(Permit.self) }
          realm.delete(realm.objects(Permit.self).filter { $0.id > 3 })
        }
        try Realm.close(realm.configuration)
      }
      let report = try Realm.salvage(
        from: directory.url.appending(path: "keys.varve"),
        to: directory.url.appending(path: "new.varve"))
      #expect(report.isComplete && report.rescuedCount == 3)
      let rescued = try directory.open("new.varve", [Permit.self])
      try rescued.write {
        let permit = rescued.create(Permit.self)
        #expect(permit.id == 6)
      }
    }
  }

  @Test func filesThatCannotBeSalvagedAreRefused() throws {
    try TransferDirectory.with { directory in
      let realm = try directory.open("open.varve", [Permit.self])
      try realm.write { _ = realm.create(Permit.self) }
      let (source, target) = (
        directory.url.appending(path: "open.varve"), directory.url.appending(path: "new.varve")
      )
      #expect(code { try Realm.salvage(from: source, to: target) } == .alreadyOpen)
      try Realm.close(realm.configuration)
      try Data("x".utf8).write(to: target)
      #expect(code { try Realm.salvage(from: source, to: target) } == .fileExists)
      try FileManager.default.removeItem(at: target)
      let text = directory.url.appending(path: "text")
      try Data(repeating: 65, count: 20_000).write(to: text)
      #expect(code { try Realm.salvage(from: text, to: target) } == .invalidDatabase)
      let none = directory.url.appending(path: "none")
      #expect(code { try Realm.salvage(from: none, to: target) } == .fileNotFound)
      #expect(!directory.exists("new.varve"))
      let left = try FileManager.default.contentsOfDirectory(atPath: directory.url.path)
      #expect(!left.contains { $0.hasPrefix("varve-") })
    }
  }

  private func code<R>(_ body: () throws -> R) -> Realm.Error.Code? {
    do {
      _ = try body()
      return nil
    } catch {
      return (error as? Realm.Error)?.code
    }
  }

  @Test func progressGrowsAndCancellationLeavesNoFile() async throws {
    try await TransferDirectory.with { directory in
      let configuration = Realm.Configuration(
        fileURL: directory.url.appending(path: "a.varve"), objectTypes: [Permit.self])
      try await fill(configuration)
      let (source, target) = (
        directory.url.appending(path: "a.varve"), directory.url.appending(path: "b.varve")
      )
      let task = Task {
        try await Realm.salvage(from: source, to: target) { progress in
          if progress.fractionCompleted > 0.5 { withUnsafeCurrentTask { $0?.cancel() } }
          if progress.fractionCompleted > 0.5 { throw CancellationError() }
        }
      }
      do {
        let report = try await task.value
        Issue.record("The salvage was not cancelled: \(report)")
      } catch {
        #expect(error is CancellationError)
      }
      #expect(!directory.exists("b.varve"))
      let seen = Lock<[Int]>([])
      let report = try await Realm.salvage(from: source, to: target) { progress in
        seen.withLock { $0.append(progress.completedUnits) }
      }
      #expect(report.isComplete && report.rescuedCount == 3_000)
      let steps = seen.withLock { $0 }
      #expect(steps == steps.sorted() && steps.count > 10)
    }
  }

  private func fill(_ configuration: Realm.Configuration) async throws {
    let realm = try await Realm(configuration: configuration)
    try await realm.write { for _ in 0..<3_000 { realm.create(Permit.self) } }
    try Realm.close(configuration)
  }
}
