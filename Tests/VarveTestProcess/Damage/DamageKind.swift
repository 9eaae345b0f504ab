import VarveStorage

/// Repeatable random choices (SplitMix64).
struct DamageRandom: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(max(1, limit))) }
}

/// A way to damage the bytes of a data file.
enum DamageKind: Int, CaseIterable {
  case bit, byte, bytes, runOfBytes, zeroSector, swappedSectors
  case zeroPage, copiedPage, swappedPages, tornPage, copiedContent
  case pageFlags, pageBounds, entryOffset, entrySize, keySize, entryFlags, childNumber
  case siblingChild, cycle, overflowCount, overflowNumber
  case freeCount, freePage, freeUsedPage, freeTwice, freeKey
  case recordDepth, recordCount, recordRoot, recordFlags, tableName
  case metaLastPage, metaField, metaBit, metaZero, cutFile

  /// Whether the damage may make the previous version the newest one, which is valid.
  var mayRestoreVersion: Bool {
    switch self {
    case .metaField, .metaBit, .metaZero: true
    default: false
    }
  }
}

/// A data file in memory, and the positions of its parts.
struct DamagedFile {
  static let pageSize = 4096
  var bytes: [UInt8]
  private(set) var branches: [Int] = []
  private(set) var leaves: [Int] = []
  private(set) var overflows: [Int] = []
  /// The leaves of the free list.
  private(set) var freeLeaves: [Int] = []
  private(set) var newestMeta = 0

  var pageCount: Int { bytes.count / Self.pageSize }

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    newestMeta =
      word(PageLayout.metaTransactionID) > word(Self.pageSize + PageLayout.metaTransactionID)
      ? 0 : Self.pageSize
    let record = newestMeta + PageLayout.metaFreeRecord
    addTree(record, isMain: false, isFree: true)
    addTree(newestMeta + PageLayout.metaMainRecord, isMain: true, isFree: false)
  }

  private mutating func addTree(_ record: Int, isMain: Bool, isFree: Bool) {
    let root = word(record + PageLayout.recordRoot)
    guard root != PageLayout.noPage else { return }
    addPage(
      Int(root), level: Int(half(record + PageLayout.recordDepth)), isMain: isMain, isFree: isFree)
  }

  private mutating func addPage(_ number: Int, level: Int, isMain: Bool, isFree: Bool) {
    let page = number * Self.pageSize
    if level > 1 {
      branches.append(page)
      for node in nodes(page) {
        addPage(child(node), level: level - 1, isMain: isMain, isFree: isFree)
      }
      return
    }
    if isFree { freeLeaves.append(page) } else { leaves.append(page) }
    for node in nodes(page) {
      let flags = half(node + PageLayout.nodeFlags)
      let value = node + PageLayout.nodeHeaderSize + Int(half(node + PageLayout.nodeKeySize))
      if flags == PageLayout.bigData { overflows.append(Int(word(value)) * Self.pageSize) }
      if flags == PageLayout.subData, isMain { addTree(value, isMain: false, isFree: false) }
    }
  }

  /// The file with the version before as the newest one: the newest meta page has the content of
  /// the other one, and the id of the version before that.
  var olderVersion: [UInt8] {
    var file = self
    let id = word(newestMeta + PageLayout.metaTransactionID)
    let other = Self.pageSize - newestMeta
    for offset in PageLayout.headerSize..<Self.pageSize {
      file.bytes[newestMeta + offset] = bytes[other + offset]
    }
    file.put(newestMeta + PageLayout.metaTransactionID, id - 2, count: 8)
    return file.bytes
  }

  // MARK: Bytes

  // An earlier damage may have led out of the file: then there is nothing to read or to change.

  private func contains(_ offset: Int, count: Int) -> Bool {
    offset >= 0 && offset <= bytes.count - count
  }

  func half(_ offset: Int) -> UInt16 {
    contains(offset, count: 2) ? UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8 : 0
  }

  func word(_ offset: Int) -> UInt64 {
    guard contains(offset, count: 8) else { return 0 }
    return (0..<8).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
  }

  mutating func put(_ offset: Int, _ value: UInt64, count: Int) {
    guard contains(offset, count: count) else { return }
    for index in 0..<count {
      bytes[offset + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index))
    }
  }

  func count(_ page: Int) -> Int {
    max(0, Int(half(page + PageLayout.lower)) - PageLayout.headerSize) / 2
  }

  func nodes(_ page: Int) -> [Int] {
    (0..<count(page)).map { page + Int(half(page + PageLayout.headerSize + 2 * $0)) }
  }

  func child(_ node: Int) -> Int {
    Int(half(node)) | Int(half(node + 2)) << 16 | Int(half(node + PageLayout.nodeFlags)) << 32
  }

  mutating func setChild(_ node: Int, _ number: Int) {
    put(node, UInt64(number), count: 4)
    put(node + PageLayout.nodeFlags, UInt64(number) >> 32, count: 2)
  }

  /// The offsets of the lengths of the free list's values.
  func freeLists() -> [Int] {
    freeLeaves.flatMap { nodes($0) }
      .compactMap { node in
        let value = node + PageLayout.nodeHeaderSize + 8
        guard half(node + PageLayout.nodeFlags) & PageLayout.bigData != 0 else { return value }
        let page = word(value)
        guard page < UInt64(bytes.count / Self.pageSize) else { return nil }
        return Int(page) * Self.pageSize + PageLayout.headerSize
      }
  }
}
