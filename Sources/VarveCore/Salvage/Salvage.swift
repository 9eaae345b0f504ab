import Logging
import VarveEncoding
package import VarveStorage

/// Rescues what can be read of a damaged file into a new store.
///
/// The readable entries of the file are copied to a file with sound pages first (`SalvagedFile`).
/// Its objects are then read one by one and stored in the new store, with their ids; the indexes,
/// backlinks and collections are made again. The new store is checked, and renamed into place at
/// the end.
///
/// Thread safety: one thread at a time.
package struct Salvage {
  /// The limits of a transaction.
  private static let batchCount = 1_000
  private static let batchBytes = 8 << 20
  private static let cutTargets = 10_000

  private let store: Store
  private var reader: SalvageReader
  private let progress: WorkProgress
  private var batch: [SalvagedObject] = []
  private var batchBytes = 0
  private var rescued: [UInt32: Int] = [:]
  /// The embedded objects that were stored with their owners.
  private var embedded: Set<RowKey> = []

  /// Rescues what can be read of a file.
  ///
  /// - Parameters:
  ///   - source: The damaged file. It is read without mapping it, and not changed.
  ///   - target: The path of the new store. No file may exist there.
  ///   - watch: Receives the progress in bytes, and may stop the salvage.
  ///   - read: Reads the damaged file.
  /// - Throws: `.fileExists`, `.alreadyOpen` when a process has the damaged file open,
  ///   `.invalidDatabase` or `.corrupted` when nothing can be rescued, `.cancelled`,
  ///   `.outOfDiskSpace`, or an error of the paths. No new store is left then.
  /// - Complexity: O(bytes of the file · log objects). Memory for some megabytes of objects, or for
  ///   the largest object; for the links to 10,000 lost objects; and up to 100 bytes for each embedded
  ///   object, each collection nested in a mixed value, and each blob.
  package static func run(
    from source: String, to target: String, watch: WorkWatch? = nil,
    read: SalvageCopy.Read? = nil
  ) throws -> SalvageReport {
    let result = try Failure.translating(
      try SalvagedFile.withDirectory(for: target) { directory in
        Result { try run(source, target, in: directory, watch, read) }
      })
    do {
      return try result.get()
    } catch let error as StorageError {
      throw Failure(error)
    }
  }

  private static func run(
    _ source: String, _ target: String, in directory: String, _ watch: WorkWatch?,
    _ read: SalvageCopy.Read?
  ) throws -> SalvageReport {
    let progress = WorkProgress(watch?.observer, path: source)
    let (entries, found) =
      if let read {
        try SalvagedFile.make(from: source, in: directory, progress, read: read)
      } else {
        try SalvagedFile.make(from: source, in: directory, progress)
      }
    let environment = try Environment.open(SalvagedFile.options(entries))
    let result = Result {
      try rescue(try environment.snapshot(), found, to: directory + "/rescued", progress, watch)
    }
    try environment.close()
    let report = try result.get()
    guard report.rescuedCount > 0 || report.isComplete else {
      throw Failure(
        .corrupted, "No object could be rescued.",
        value: "lost objects: \(report.lostCount), lost classes: \(report.lostClasses.count)",
        path: source)
    }
    // The last chance to stop: afterwards the new store exists.
    try progress.finish()
    try SalvagedFile.publish(directory + "/rescued", as: target)
    return report
  }

  private static func rescue(
    _ snapshot: Snapshot, _ found: SalvagedPages, to path: String, _ progress: WorkProgress,
    _ watch: WorkWatch?
  ) throws -> SalvageReport {
    var report = SalvageReport(found)
    let catalog = SalvageCatalog(snapshot, found, &report)
    try SalvagedFile.create(path, found.root)
    try catalog.write(to: path)
    var options = StoreOptions(path: path)
    options.durability = .none
    options.ignoresCommits = true
    // The caller does not know the store, and its transactions are long.
    options.logger = Logger(label: "varve") { _ in SwiftLogNoOpLogHandler() }
    let store = try Store(options: options)
    let file = FileSchema(
      generation: found.root.schemaGeneration, version: found.root.userSchemaVersion,
      classes: catalog.classes)
    var salvage = Salvage(
      store: store, reader: SalvageReader(snapshot, file, report), progress: progress)
    let result = Result { try salvage.run(found, watch) }
    try store.close()
    return try result.get()
  }

  private init(store: Store, reader: SalvageReader, progress: WorkProgress) {
    self.store = store
    self.reader = reader
    self.progress = progress
  }

  private mutating func run(
    _ found: SalvagedPages, _ watch: WorkWatch?
  ) throws -> SalvageReport {
    let classes = reader.file.classes
    for schema in classes where !schema.record.isEmbedded { try rescueObjects(of: schema) }
    try cutLinks()
    for schema in classes {
      let count = found.tables[schema.table]
      let all = max(count?.expected ?? 0, count?.found ?? 0)
      let rescued = rescued[schema.id] ?? 0
      reader.report.classes.append(
        .init(name: schema.name, rescued: rescued, lost: max(0, all - rescued)))
      if schema.record.isEmbedded { noteOrphans(of: schema) }
    }
    // The contents of lost collections are counted by what contains them.
    if reader.report.isComplete { reader.noteUnreached() }
    let check = try StoreCheck.run(try store.newestSnapshot(), stoppedBy: watch)
    guard check.isSound else {
      throw Failure(
        .fail, "The rescued objects do not make a sound store.",
        details: check.problems.prefix(10).map(\.text))
    }
    return reader.report
  }

  // MARK: Objects

  private mutating func rescueObjects(of schema: ClassSchema) throws {
    var cursor = reader.snapshot.cursor(schema.table)
    while cursor.next() {
      try progress.advance(by: cursor.value.count)
      do throws(SalvageLoss) {
        let object = try reader.object(schema, cursor.id, cursor.value)
        batch.append(object)
        batchBytes += object.byteCount
      } catch {
        reader.note(error, schema, cursor.id, cursor.value)
      }
      if batch.count >= Self.batchCount || batchBytes >= Self.batchBytes { try storeBatch() }
    }
    try storeBatch()
  }

  private mutating func storeBatch() throws {
    let objects = batch
    batch.removeAll(keepingCapacity: true)
    batchBytes = 0
    try store(objects)
  }

  /// Stores objects in one transaction. An object that cannot be stored is reported, and the others
  /// are stored without it; after the second one each by itself, so that few are stored again.
  private mutating func store(_ objects: [SalvagedObject]) throws {
    var objects = objects
    var refusalCount = 0
    while !objects.isEmpty {
      if refusalCount == 2 {
        for object in objects { try store([object]) }
        return
      }
      var failed: Int?
      do {
        try store.write(view: nil) { transaction in
          let writer = SalvageWriter(transaction: transaction)
          for (index, object) in objects.enumerated() {
            failed = index
            try writer.store(object)
          }
          failed = nil
        }
        for object in objects { noteRescued(object) }
        return
      } catch let failure as Failure where failure.isRefusal {
        refusalCount += 1
        if let failed {
          noteRefused(objects.remove(at: failed), failure)
        } else if objects.count == 1 {
          noteRefused(objects.removeFirst(), failure)
        } else {
          // The end of the transaction failed: the object is found by storing each by itself.
          for object in objects { try store([object]) }
          return
        }
      }
    }
  }

  private mutating func noteRescued(_ object: SalvagedObject) {
    let rows = object.rows
    for row in rows { rescued[row.classID, default: 0] += 1 }
    embedded.formUnion(rows.dropFirst())
  }

  private mutating func noteRefused(_ object: SalvagedObject, _ failure: Failure) {
    let isDuplicate = failure.code == .duplicatePrimaryKey || failure.code == .duplicateValue
    let loss = SalvageLoss(isDuplicate ? .duplicate : .refused, failure.message)
    let bytes = reader.snapshot.find(object.schema.table, id: object.id)
    reader.note(
      loss, object.schema, object.id, bytes ?? UnsafeRawBufferPointer(start: nil, count: 0))
  }

  /// Reports embedded objects whose owner is lost, except those that were reported themselves.
  private mutating func noteOrphans(of schema: ClassSchema) {
    var cursor = reader.snapshot.cursor(schema.table)
    while cursor.next() {
      let row = RowKey(classID: schema.id, objectID: cursor.id)
      if embedded.contains(row) || reader.lostEmbedded.contains(row) { continue }
      reader.note(
        SalvageLoss(.ownerLost), schema, cursor.id, cursor.value)
    }
  }

  // MARK: Links

  /// Cuts the links to objects that were not stored.
  private mutating func cutLinks() throws {
    var missing: Set<RowKey> = []
    let snapshot = try store.newestSnapshot()
    // The links to one object are neighbors.
    var last: RowKey?
    var cursor = snapshot.cursor(.backlinks)
    while cursor.next() {
      guard let link = try? BacklinkKey(decoding: cursor.key) else { continue }
      let target = RowKey(classID: link.targetClass, objectID: link.targetID)
      if target == last { continue }
      last = target
      guard snapshot.find(.objects(ofClass: target.classID), id: target.objectID) == nil else {
        continue
      }
      missing.insert(target)
      if missing.count == Self.cutTargets {
        try cutLinks(to: missing)
        missing.removeAll(keepingCapacity: true)
      }
    }
    try cutLinks(to: missing)
  }

  private mutating func cutLinks(to missing: Set<RowKey>) throws {
    guard !missing.isEmpty else { return }
    reader.report.lostLinkCount += try store.write(view: nil) { try $0.cutLinks(to: missing) }
  }
}

extension Failure {
  /// Whether a store refused an object because of its content.
  ///
  /// `corrupted` is damage of the new store itself: nothing of the damaged file is decoded there.
  fileprivate var isRefusal: Bool {
    switch code {
    case .duplicatePrimaryKey, .duplicateValue, .valueTooLarge, .typeMismatch, .missingValue,
      .invalidInput, .invalidKey, .alreadyEmbedded, .invalidatedObject, .unknownClass,
      .indexOutOfBounds:
      true
    // Two long keys have the same hash. Failures of the storage have a path, or name no class.
    case .fail: className != nil && path == nil
    default: false
    }
  }
}

extension SalvageReport {
  init(_ found: SalvagedPages) {
    damagedPageCount = found.damageCount
    unreadableByteCount = found.unreadableByteCount
    isMetaDamaged = found.isMetaDamaged
    isEarlierVersion = found.isEarlierVersion
    lacksPages = found.isTableListDamaged || found.tables.values.contains { !$0.isWhole }
  }
}
