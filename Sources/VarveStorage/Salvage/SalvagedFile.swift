import CVarve
import Glibc

/// The readable entries of a damaged file, in a sound file.
///
/// The entries of the tables from which the others follow are copied: the catalog, the rows, and
/// the contents of collections and blobs. The records of collections are copied too: they tell to
/// which value a nested collection belongs. The indexes and the backlinks stay empty.
package enum SalvagedFile {
  /// The tables of a file that are copied, except those of the rows.
  private static let copied: [Table] = [
    .catalog, .collections, .lists, .dictionaries, .sets, .blobs,
  ]
  /// The number of bytes that a transaction puts before it is committed.
  private static let batchBytes = 16 << 20

  /// Copies the readable entries of a file to a new file.
  ///
  /// - Parameters:
  ///   - source: The damaged file, which is not changed.
  ///   - directory: A private directory, for a copy of the file, which is removed, and for the new
  ///     file.
  ///   - progress: Counts the bytes of the file twice.
  ///   - read: Reads the file.
  /// - Returns: The path of the new file, and what was found.
  /// - Throws: `notADatabase` or `corrupted` when no version of the file can be read, `alreadyOpen`
  ///   when a process has it open, `cancelled`, `diskFull`, or a system error.
  /// - Complexity: O(bytes of the file). The memory does not depend on it, except for two bits for
  ///   each page.
  package static func make(
    from source: String, in directory: String, _ progress: WorkProgress,
    read: SalvageCopy.Read = { pread($0, $1, $2, off_t($3)) }
  ) throws(StorageError) -> (path: String, found: SalvagedPages) {
    let copy = directory + "/damaged"
    let unreadable = try SalvageCopy.copy(source, to: copy, progress, read: read)
    defer { unlink(copy) }
    let file = try OpenFile(path: copy, flags: O_RDONLY)
    let byteCount = Int(try file.status(path: copy).st_size)
    try progress.advance(to: byteCount)
    guard byteCount >= 1024 else {
      throw StorageError(.notADatabase, "The file is not a store.", path: source)
    }
    let mapping = try ReadMapping(descriptor: file.descriptor, byteCount: byteCount, path: copy)
    // The pages, the records and the walk are pointers into it.
    defer { withExtendedLifetime(mapping) {} }
    let metas = SalvagedMetas(mapping.base, byteCount: byteCount)
    guard !metas.pages.isEmpty else {
      throw StorageError(
        metas.hasMagic ? .corrupted : .notADatabase,
        metas.hasMagic ? "Both meta pages are damaged." : "The file is not a store.", path: source)
    }
    let target = directory + "/entries"
    // A valid catalog of the version before is better than a damaged one, whose classes may be lost.
    for isValid in [true, false] {
      for (index, meta) in metas.pages.enumerated() {
        // The last page of the version may be wrong: all pages of the file are read.
        let pages = PageMap(
          base: mapping.base, pageSize: metas.pageSize,
          limit: UInt64(byteCount / metas.pageSize))
        guard case (var walk, let records)? = try readTables(pages, meta, unreadable, progress),
          let catalog = records[.catalog], hasReadableRoot(catalog, pages, isValid: isValid)
        else { continue }
        if metas.isDamaged { walk.found.isMetaDamaged = true }
        walk.found.isEarlierVersion = index > 0
        walk.found.unreadableByteCount = unreadable.reduce(0) { $0 + $1.count }
        try create(target, walk.found.root)
        try fill(target, &walk, records)
        return (target, walk.found)
      }
    }
    throw StorageError(.corrupted, "No version of the file has a readable catalog.", path: source)
  }

  /// Reads the unnamed table of a version.
  ///
  /// - Returns: nil when the root record cannot be read.
  private static func readTables(
    _ pages: PageMap, _ meta: MetaPage, _ unreadable: [Range<Int>], _ progress: WorkProgress
  ) throws(StorageError) -> (SalvageWalk, [Table: UnsafeRawPointer])? {
    let record = UnsafeMutablePointer<InlineArray<6, UInt64>>.allocate(capacity: 1)
    defer { record.deallocate() }
    record.initialize(to: meta.mainRecord)
    let placeholder = RootRecord(incarnation: .random(), fileKey: .random())
    var walk = try SalvageWalk(
      pages, lastPage: meta.lastPage, unreadable: unreadable, SalvagedPages(root: placeholder),
      progress)
    var root: RootRecord?
    var records: [Table: UnsafeRawPointer] = [:]
    var hasUnknownTable = false
    try walk.walk(.main, UnsafeRawPointer(record)) { (key, value) throws(StorageError) in
      if key.elementsEqual(RootRecord.keyBytes) {
        root = try? RootRecord(decoding: value)
      } else if let table = Table(name: key), table.classID != 0,
        value.count == PageLayout.recordSize, let record = value.baseAddress
      {
        records[table] = record
      } else {
        hasUnknownTable = true
      }
    }
    guard let root else { return nil }
    if hasUnknownTable { walk.found.isTableListDamaged = true }
    walk.found.root = root
    return (walk, records)
  }

  /// Whether the first page of a table can be read, or the table is empty.
  ///
  /// - Parameter isValid: Whether the entries of the page must be valid too.
  private static func hasReadableRoot(
    _ record: UnsafeRawPointer, _ pages: PageMap, isValid: Bool
  ) -> Bool {
    let root = record.u64(PageLayout.recordRoot)
    if root == PageLayout.noPage { return true }
    let isLeaf = record.u16(PageLayout.recordDepth) == 1
    if !isValid { return isLeaf && (try? pages.checkedRoot(root, isLeaf: true)) != nil }
    return (try? pages.checkedPage(root, isLeaf: isLeaf, PageBounds(), hasIntegerKeys: false))
      != nil
  }

  /// Creates an empty store with the ids of another one.
  package static func create(_ path: String, _ root: RootRecord) throws(StorageError) {
    let environment = try Environment.open(options(path))
    do throws(StorageError) {
      let transaction = try environment.beginWrite(timeout: .seconds(30))
      var new = transaction.root
      new.fileKey = root.fileKey
      new.schemaGeneration = root.schemaGeneration
      new.userSchemaVersion = root.userSchemaVersion
      new.nextObjectID = root.nextObjectID
      new.nextCollectionID = root.nextCollectionID
      new.nextNodeID = root.nextNodeID
      new.nextBlobID = root.nextBlobID
      new.nextClassID = root.nextClassID
      new.nextPropertyID = root.nextPropertyID
      new.nextIndexID = root.nextIndexID
      transaction.root = new
      _ = try transaction.commit()
    } catch {
      try? environment.close()
      throw error
    }
    try environment.close()
  }

  /// Options for a file that is discarded or synchronized at the end.
  package static func options(_ path: String) -> EnvironmentOptions {
    var options = EnvironmentOptions(path: path)
    options.durability = .none
    options.maximumReaders = 64
    return options
  }

  private static func fill(
    _ path: String, _ walk: inout SalvageWalk, _ records: [Table: UnsafeRawPointer]
  ) throws(StorageError) {
    let environment = try Environment.open(options(path))
    do throws(StorageError) {
      let rows = records.keys.filter(\.hasIntegerKeys).sorted { $0.index < $1.index }
      for table in copied + rows {
        guard let record = records[table] else {
          walk.found.tables[table] = .init(expected: nil)
          continue
        }
        try fill(environment, table, record, &walk)
      }
    } catch {
      try? environment.close()
      throw error
    }
    try environment.close()
  }

  private static func fill(
    _ environment: Environment, _ table: Table, _ record: UnsafeRawPointer,
    _ walk: inout SalvageWalk
  ) throws(StorageError) {
    let flags = record.u16(PageLayout.recordFlags)
    guard flags == (table.hasIntegerKeys ? PageLayout.integerKeyFlag : 0) else {
      walk.found.note(
        PageDamage(
          page: record.u64(PageLayout.recordRoot), detail: "A table is of an unknown kind."),
        in: table)
      return
    }
    var transaction: WriteTransaction?
    var byteCount = 0
    do throws(StorageError) {
      try walk.walk(table, record) { (key, value) throws(StorageError) in
        let current: WriteTransaction
        if let open = transaction {
          current = open
        } else {
          current = try environment.beginWrite(timeout: .seconds(30))
          transaction = current
          _ = try current.openTable(table, create: true)
        }
        if table.hasIntegerKeys, let id = key.baseAddress?.u64(0) {
          try current.put(table, id: id, value, append: true)
        } else {
          try current.put(table, key: key, value, append: true)
        }
        byteCount += key.count + value.count
        if byteCount >= batchBytes {
          _ = try current.commit()
          transaction = nil
          byteCount = 0
        }
      }
      _ = try transaction?.commit()
    } catch {
      transaction?.abort()
      throw error
    }
  }
}

/// The valid meta pages of a damaged file.
struct SalvagedMetas {
  let pageSize: Int
  /// The valid meta pages, that of the newest version first.
  let pages: [MetaPage]
  /// Whether one of the meta pages is damaged, has a last page that no file has, or is not that of
  /// the version before the other's.
  let isDamaged: Bool
  /// Whether the file begins like a store.
  let hasMagic: Bool

  init(_ base: UnsafeRawPointer, byteCount: Int) {
    let sizes = [4096, 512, 1024, 2048, 8192, 16384, PageLayout.largestPage]
    hasMagic =
      base.u32(PageLayout.metaMagic) == PageLayout.magic
      || sizes.contains {
        $0 + PageLayout.metaEnd <= byteCount
          && (base + $0).u32(PageLayout.metaMagic) == PageLayout.magic
      }
    var best: (pageSize: Int, pages: [MetaPage]) = (4096, [])
    for size in sizes {
      let metas = (0..<2).compactMap {
        Self.meta($0, base, pageSize: size, byteCount: byteCount)
      }
      if metas.count > best.pages.count { best = (size, metas) }
    }
    pageSize = best.pageSize
    var pages = best.pages.sorted { $0.transactionID > $1.transactionID }
    // No version has fewer pages than an earlier one. If the ids do not follow each other, one of
    // them has changed. Otherwise the last page is wrong, or is that of a later commit whose id is
    // missing because a power failure has torn the page: the greater id is that of the newest version.
    let isReversed = pages.count == 2 && pages[0].lastPage < pages[1].lastPage
    let isConsecutive = pages.count == 2 && pages[0].mayFollow(pages[1].transactionID)
    let possible = 2..<UInt64(DataFile.largestFile / pageSize)
    let isImpossible = pages.contains { !possible.contains($0.lastPage) }
    isDamaged = isReversed || !isConsecutive || isImpossible
    if isReversed, !isConsecutive { pages.swapAt(0, 1) }
    self.pages = pages
  }

  private static func meta(
    _ index: UInt64, _ base: UnsafeRawPointer, pageSize: Int, byteCount: Int
  ) -> MetaPage? {
    guard (Int(index) + 1) * pageSize <= byteCount else { return nil }
    let page = base + Int(index) * pageSize
    let id = page.u64(PageLayout.metaTransactionID)
    guard page.u64(0) == index, page.u16(PageLayout.flags) & PageLayout.meta != 0,
      page.u32(PageLayout.metaMagic) == PageLayout.magic,
      page.u32(PageLayout.metaVersion) == PageLayout.dataVersion,
      Int(page.u32(PageLayout.metaFreeRecord)) == pageSize, id & 1 == index, id < 1 << 62,
      TreeWords.isPlausible(page + PageLayout.metaMainRecord)
    else { return nil }
    return MetaPage.read(id, base: base, pageSize: pageSize)
  }
}

extension SalvagedFile {
  /// Runs a body with a private directory next to the path of a new file.
  ///
  /// - Throws: `fileExists` when a file exists at the path, `directoryUnsafe`, or a system error.
  package static func withDirectory<R>(
    for target: String, _ body: (String) -> R
  ) throws(StorageError) -> R {
    // The copy of the damaged file is written before a store is opened.
    varve_ignore_file_size_signal()
    let paths = try StorePaths(path: target)
    try paths.checkDirectory(isReadOnly: false)
    guard FileIdentity(path: paths.data) == nil else {
      throw StorageError(.fileExists, "A file exists at the path of the new store.", path: target)
    }
    return try PrivateDirectory.with(in: paths.directory) { body($0) }
  }

  /// Synchronizes a finished file, and renames it to its path.
  ///
  /// - Throws: `fileExists` when a file exists at the path, or a system error. The finished file is
  ///   not at the path then.
  package static func publish(_ file: String, as target: String) throws(StorageError) {
    let paths = try StorePaths(path: target)
    let opened = try OpenFile(path: file, flags: O_RDWR)
    try opened.sync(path: target)
    try paths.publish(file, path: target)
  }
}
