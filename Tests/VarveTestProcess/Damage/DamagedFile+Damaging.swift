import VarveStorage

extension DamagedFile {
  /// A number that is close, far away or unusual.
  private func oddNumber(_ random: inout DamageRandom, near value: UInt64) -> UInt64 {
    switch random.below(7) {
    case 0: 0
    case 1: value &+ 1
    case 2: value &- 1
    case 3: .max
    case 4: value ^ (1 << UInt64(random.below(32)))
    case 5: UInt64(random.below(pageCount + 3))
    default: random.next()
    }
  }

  /// Damages the file.
  mutating func damage(_ kind: DamageKind, _ random: inout DamageRandom) {
    if !damageAnywhere(kind, &random), !damagePage(kind, &random), !damageTree(kind, &random) {
      damageFreeListOrHead(kind, &random)
    }
  }

  private mutating func damageAnywhere(_ kind: DamageKind, _ random: inout DamageRandom) -> Bool {
    let size = Self.pageSize
    // After the two meta pages, mostly in pages that are in use.
    let used = branches + leaves + overflows + freeLeaves
    let page =
      random.below(8) == 0
      ? (2 + random.below(pageCount - 2)) * size : used[random.below(used.count)]
    let other = used[random.below(used.count)]
    switch kind {
    case .bit:
      let position = random.below(4) == 0 ? page + random.below(64) : page + random.below(size)
      bytes[position] ^= 1 << UInt8(random.below(8))
    case .byte: bytes[page + random.below(size)] = UInt8(truncatingIfNeeded: random.next())
    case .bytes: put(page + random.below(size - 8), random.next(), count: 8)
    case .runOfBytes:
      let start = page + random.below(size)
      let end = min(bytes.count, start + 1 + random.below(200))
      for index in start..<end { bytes[index] = UInt8(truncatingIfNeeded: random.next()) }
    case .zeroSector:
      let start = page + 512 * random.below(8)
      for index in start..<start + 512 { bytes[index] = 0 }
    case .swappedSectors:
      let (first, second) = (page + 512 * random.below(8), other + 512 * random.below(8))
      for index in 0..<512 { bytes.swapAt(first + index, second + index) }
    case .zeroPage: for index in 0..<size { bytes[page + index] = 0 }
    case .copiedPage: bytes.replaceSubrange(page..<page + size, with: bytes[other..<other + size])
    case .swappedPages:
      let first = Array(bytes[page..<page + size])
      bytes.replaceSubrange(page..<page + size, with: bytes[other..<other + size])
      bytes.replaceSubrange(other..<other + size, with: first)
    case .tornPage:
      let cut = 512 * (1 + random.below(7))
      bytes.replaceSubrange(page + cut..<page + size, with: bytes[other + cut..<other + size])
    case .copiedContent:
      // The number of the page stays, so that only its keys reveal that it is another page.
      let kin = branches.contains(page) ? branches : leaves
      let other = kin[random.below(kin.count)]
      bytes.replaceSubrange(page + 8..<page + size, with: bytes[other + 8..<other + size])
    default: return false
    }
    return true
  }

  private mutating func damagePage(_ kind: DamageKind, _ random: inout DamageRandom) -> Bool {
    let pages = branches + leaves + freeLeaves
    let page = pages[random.below(pages.count)]
    let index = random.below(count(page))
    let offset = page + PageLayout.headerSize + 2 * index
    let node = page + Int(half(offset))
    switch kind {
    case .pageFlags:
      put(
        page + PageLayout.flags, oddNumber(&random, near: UInt64(half(page + PageLayout.flags))),
        count: 2)
    case .pageBounds:
      let position = page + PageLayout.lower + 2 * random.below(2)
      put(position, oddNumber(&random, near: UInt64(half(position))), count: 2)
    case .entryOffset: put(offset, oddNumber(&random, near: UInt64(half(offset))), count: 2)
    case .entrySize:
      put(node, oddNumber(&random, near: UInt64(half(node))), count: random.below(2) == 0 ? 2 : 4)
    case .keySize:
      let position = node + PageLayout.nodeKeySize
      put(position, oddNumber(&random, near: UInt64(half(position))), count: 2)
    case .entryFlags: put(node + PageLayout.nodeFlags, UInt64(random.below(8)), count: 2)
    case .overflowCount where !overflows.isEmpty:
      let position = overflows[random.below(overflows.count)] + PageLayout.overflowPages
      put(position, oddNumber(&random, near: UInt64(half(position))), count: 4)
    case .overflowNumber:
      let big = leaves.flatMap { nodes($0) }.filter {
        half($0 + PageLayout.nodeFlags) == PageLayout.bigData
      }
      guard !big.isEmpty else { return true }
      let node = big[random.below(big.count)]
      let position = node + PageLayout.nodeHeaderSize + Int(half(node + PageLayout.nodeKeySize))
      put(position, oddNumber(&random, near: word(position)), count: 8)
    default: return false
    }
    return true
  }

  private mutating func damageTree(_ kind: DamageKind, _ random: inout DamageRandom) -> Bool {
    guard !branches.isEmpty else { return true }
    let page = branches[random.below(branches.count)]
    let entries = nodes(page)
    let node = entries[random.below(entries.count)]
    switch kind {
    case .childNumber:
      setChild(
        node,
        Int(truncatingIfNeeded: oddNumber(&random, near: UInt64(child(node))) & 0xFFFF_FFFF_FFFF))
    case .siblingChild: setChild(node, child(entries[random.below(entries.count)]))
    case .cycle: setChild(node, branches[random.below(branches.count)] / Self.pageSize)
    default: return false
    }
    return true
  }

  private mutating func damageFreeListOrHead(_ kind: DamageKind, _ random: inout DamageRandom) {
    let lists = freeLists()
    let list = lists.isEmpty ? 0 : lists[random.below(lists.count)]
    let used = branches + leaves
    switch kind {
    case .freeCount where list > 0: put(list, oddNumber(&random, near: word(list)), count: 8)
    case .freePage where list > 0:
      let position = list + 8 * (1 + random.below(Int(word(list))))
      put(position, oddNumber(&random, near: word(position)), count: 8)
    case .freeUsedPage where list > 0:
      put(
        list + 8 * (1 + random.below(Int(word(list)))),
        UInt64(used[random.below(used.count)] / Self.pageSize), count: 8)
    case .freeTwice where list > 0:
      let other = lists[random.below(lists.count)]
      put(list + 8 * (1 + random.below(Int(word(list)))), word(other + 8), count: 8)
    case .freeKey where !freeLeaves.isEmpty:
      let all = freeLeaves.flatMap { nodes($0) }
      let node = all[random.below(all.count)] + PageLayout.nodeHeaderSize
      put(node, oddNumber(&random, near: word(node)), count: 8)
    case .recordDepth, .recordCount, .recordRoot, .recordFlags: damageRecord(kind, &random)
    case .tableName: damageTableName(&random)
    case .metaLastPage:
      let position = newestMeta + PageLayout.metaLastPage
      put(position, oddNumber(&random, near: word(position)) & 0xFFFF_FFFF, count: 8)
    case .metaField, .metaBit, .metaZero: damageMeta(kind, &random)
    case .cutFile:
      bytes.removeLast(Self.pageSize * (1 + random.below(pageCount - 3)) - random.below(2) * 100)
    default: bytes[2 * Self.pageSize + random.below(64)] ^= 1
    }
  }

  /// The offsets of the fields of a meta page, and their sizes.
  private static let metaFields = [
    (0, 8), (PageLayout.flags, 2), (PageLayout.metaMagic, 4), (PageLayout.metaVersion, 4), (24, 8),
    (PageLayout.metaMapSize, 8), (PageLayout.metaLastPage, 8), (PageLayout.metaTransactionID, 8),
  ]
  /// The offsets of the fields of the record of a tree, and their sizes.
  private static let recordFields = [
    (0, 4), (PageLayout.recordFlags, 2), (PageLayout.recordDepth, 2), (8, 8), (16, 8), (24, 8),
    (PageLayout.recordEntries, 8), (PageLayout.recordRoot, 8),
  ]

  private mutating func damageMeta(_ kind: DamageKind, _ random: inout DamageRandom) {
    let meta = random.below(4) == 0 ? Self.pageSize - newestMeta : newestMeta
    switch kind {
    case .metaZero: for index in 0..<Self.pageSize { bytes[meta + index] = 0 }
    case .metaBit:
      bytes[meta + random.below(PageLayout.metaEnd)] ^= 1 << UInt8(random.below(8))
    default:
      let records = [PageLayout.metaFreeRecord, PageLayout.metaMainRecord].flatMap { record in
        Self.recordFields.map { (record + $0.0, $0.1) }
      }
      let fields = Self.metaFields + records
      let (offset, count) = fields[random.below(fields.count)]
      put(meta + offset, oddNumber(&random, near: word(meta + offset)), count: count)
    }
  }

  /// The offsets of the entries of the unnamed table that are tables.
  private func tables() -> [Int] {
    leaves.flatMap { nodes($0) }.filter {
      half($0 + PageLayout.nodeFlags) == PageLayout.subData
    }
  }

  private mutating func damageTableName(_ random: inout DamageRandom) {
    let tables = tables()
    let node = tables[random.below(tables.count)]
    let length = Int(half(node + PageLayout.nodeKeySize))
    bytes[node + PageLayout.nodeHeaderSize + random.below(length)] ^= 1 << UInt8(random.below(8))
  }

  private mutating func damageRecord(_ kind: DamageKind, _ random: inout DamageRandom) {
    let values = tables().map {
      $0 + PageLayout.nodeHeaderSize + Int(half($0 + PageLayout.nodeKeySize))
    }
    let records = values + [newestMeta + PageLayout.metaFreeRecord]
    let record = records[random.below(records.count)]
    switch kind {
    case .recordDepth:
      let position = record + PageLayout.recordDepth
      put(position, oddNumber(&random, near: UInt64(half(position))), count: 2)
    case .recordCount:
      let position = record + PageLayout.recordEntries
      put(position, oddNumber(&random, near: word(position)), count: 8)
    case .recordFlags:
      put(record + PageLayout.recordFlags, UInt64(1) << UInt64(random.below(16)), count: 2)
    default:
      let position = record + PageLayout.recordRoot
      put(position, oddNumber(&random, near: word(position)), count: 8)
    }
  }
}
