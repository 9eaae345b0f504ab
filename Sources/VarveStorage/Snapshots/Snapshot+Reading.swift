public import CVarve

extension Snapshot {
  /// Returns the value of an entry of a table with integer keys.
  ///
  /// - Returns: Bytes valid for the life of the snapshot; nil when there is no such entry or table,
  ///   or when a page is damaged (which the environment records).
  /// - Complexity: O(log n), one page a level.
  @inlinable
  package func find(_ table: Table, id: UInt64) -> UnsafeRawBufferPointer? {
    guard let record = tree(table) else { return nil }
    switch pages.find(record, id: id) {
    case .found(let node):
      if let value = pages.value(node) { return value }
      return damagedValue(node)
    case .missing: return nil
    case .damaged(let page): return damagedValue(page)
    }
  }

  /// Returns the value of an entry of a table with byte keys.
  ///
  /// - Returns: Bytes valid for the life of the snapshot, or nil. See `find(_:id:)`.
  /// - Complexity: O(log n) comparisons, one page a level.
  @inlinable
  package func find(_ table: Table, key: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard let record = tree(table) else { return nil }
    switch pages.find(record, key: key) {
    case .found(let node):
      if let value = pages.value(node) { return value }
      return damagedValue(node)
    case .missing: return nil
    case .damaged(let page): return damagedValue(page)
    }
  }

  /// Returns the number of entries; 0 for a damaged number, which the environment records.
  ///
  /// - Complexity: O(1).
  @inlinable
  package func count(_ table: Table) -> Int {
    guard let record = tree(table) else { return 0 }
    let entries = record.u64(PageLayout.recordEntries)
    // Checked each time: the record may have been damaged since it was looked up.
    guard pages.mayHold(entries) else { return damagedCount(record) }
    return Int(truncatingIfNeeded: entries)
  }

  /// Returns the size of the pages of a table: branches, leaves and overflow pages.
  ///
  /// - Returns: A number of bytes; 0 for a table that does not exist, and nil for a damaged number.
  /// - Complexity: O(1).
  package func byteCount(of table: Table) -> UInt64? {
    guard let record = tree(table) else { return 0 }
    var count: UInt64 = 0
    for offset in [
      PageLayout.recordBranchPages, PageLayout.recordLeafPages, PageLayout.recordOverflowPages,
    ] {
      let part = record.u64(offset)
      guard part <= pages.limit else { return nil }
      count += part
    }
    return count << pages.shift
  }

  /// Whether the table exists in this version.
  package func contains(_ table: Table) -> Bool { table == .main || tree(table) != nil }

  /// Returns the record of a table's tree, or nil when the version has no such table.
  @inlinable @inline(__always)
  func tree(_ table: Table) -> UnsafeRawPointer? {
    if table.index < 64 {
      let word = varve_load_word(trees + 8 &* Int(table.index))
      if word > TreeWords.absent { return UnsafeRawPointer(bitPattern: UInt(word)) }
      if word == TreeWords.absent { return nil }
    }
    return lookUpTree(table)
  }

  /// Looks a tree up, and caches the result.
  @usableFromInline @inline(never)
  func lookUpTree(_ table: Table) -> UnsafeRawPointer? {
    let address =
      table.index < 64 ? trees + 8 * Int(table.index) : TreeWords.word(trees, table.index)
    if let address {
      let word = UInt(varve_load_word(address))
      if word == TreeWords.absent { return nil }
      if word != TreeWords.unknown { return UnsafeRawPointer(bitPattern: word) }
    }
    let record = walkToTree(table)
    if let address {
      // Every thread finds the same record, so storing it twice is harmless.
      varve_store_word(address, record.map { UInt(bitPattern: $0) } ?? TreeWords.absent)
    }
    return record
  }

  private func walkToTree(_ table: Table) -> UnsafeRawPointer? {
    let main = TreeWords.mainRecord(trees)
    if table == .main { return main }
    let result = table.withName { pages.find(main, key: $0) }
    switch result {
    case .missing: return nil
    case .damaged(let page):
      noteDamage(page: page)
      return nil
    case .found(let node):
      guard node.u16(PageLayout.nodeFlags) == PageLayout.subData, let value = pages.value(node),
        value.count == PageLayout.recordSize, let record = value.baseAddress,
        TreeWords.isPlausible(record), pages.mayHold(record.u64(PageLayout.recordEntries)),
        (record.u16(PageLayout.recordFlags) & PageLayout.integerKeyFlag != 0)
          == table.hasIntegerKeys
      else {
        noteDamage(page: UInt64(node - pages.base) >> pages.shift)
        return nil
      }
      return record
    }
  }

  /// Records a damaged page. The environment then rejects writes.
  @usableFromInline @inline(never)
  func noteDamage(page: UInt64) {
    environment.markDamaged(
      StorageError(
        .corrupted, "A page is damaged.", path: environment.path, page: page))
  }

  @usableFromInline @inline(never)
  func damagedCount(_ record: UnsafeRawPointer) -> Int {
    let page = UInt64(UInt(bitPattern: record) &- UInt(bitPattern: pages.base)) >> pages.shift
    // The record of the unnamed table was copied from the meta page.
    noteDamage(page: page < pages.limit ? page : transactionID & 1)
    return 0
  }

  @usableFromInline @inline(never)
  func damagedValue(_ page: UInt64) -> UnsafeRawBufferPointer? {
    noteDamage(page: page)
    return nil
  }

  @usableFromInline @inline(never)
  func damagedValue(_ node: UnsafeRawPointer) -> UnsafeRawBufferPointer? {
    noteDamage(page: UInt64(node - pages.base) >> pages.shift)
    return nil
  }
}
