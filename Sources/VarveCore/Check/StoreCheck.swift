import VarveEncoding
package import VarveStorage

/// Verifies one version of a file, starting from its rows.
///
/// It checks that
/// - every class record and every row can be decoded and has a valid checksum;
/// - every class has a table, and no other table has rows;
/// - only classes with generated keys have a record of the last key;
/// - every indexed value has an entry, and every entry has a row with its value, in the indexes of
///   properties and of classes;
/// - every word of a text is in a block or a pending text of its full-text index, and no other
///   word is; blocks do not overlap, and the totals of the pending texts are correct;
/// - every link refers to an object and has a backlink, and every backlink has a link;
/// - every embedded object has exactly one owner;
/// - every collection has its elements and the count in its slot, the nodes and entries outside
///   rows have valid checksums, and no other collection data is stored;
/// - every nested collection is in one location, as in its record;
/// - every list is a valid tree (``ListTreeCheck``);
/// - every blob has all its chunks and a valid checksum, and belongs to one value, and no other
///   blob is stored;
/// - no id is in use that has not been allocated.
///
/// The pages are checked first; see `StructureWalk`.
///
/// The content is walked without look-ups first: the entries that the rows require and the stored
/// ones are added up as hashes (``EntrySum``), and both are compared. The links' targets are found
/// by a merge of the backlinks with the rows. Only if anything differs, a second walk looks up each
/// required and each stored entry, and reports the problems. If it finds none, the difference
/// itself is reported.
package struct StoreCheck {
  let snapshot: Snapshot
  /// Whether each entry is looked up, and problems are reported with their places.
  let isExact: Bool
  let progress: WorkProgress
  /// The reason why the check was stopped.
  var stop: StorageError?
  /// The index entries, backlinks and collection records that the rows require, and the stored
  /// ones. They are compared by a walk that is not exact.
  var required = EntrySums()
  var stored = EntrySums()
  let fileKey: FileKey
  var schema = FileSchema.empty
  var report = Report()

  /// The number of `backlinks` entries that the rows and collections require.
  var neededBacklinks = 0
  /// The numbers of `dictionaries` and `sets` entries and `lists` nodes that belong to a
  /// collection.
  var neededEntries: [Table: Int] = [:]
  /// The blobs that values refer to, with their numbers of bytes. There are few: only values of
  /// more than 512 bytes have one.
  var blobs: [UInt64: Int] = [:]
  /// The collections nested in mixed values; in the exact walk also those of properties.
  var collectionIDs: Set<UInt64> = []
  /// The nested collections whose elements have not been verified yet.
  var waitingNested: [(inout StoreCheck) -> Void] = []
  /// The number of class index entries that rows require, by index.
  var neededClassEntries: [UInt32: Int] = [:]
  /// The full-text index whose entries are being read.
  var textIndex: TextIndexEntries?
  /// The index whose entries are being read, if it is not a full-text index.
  var plainIndexID: UInt32?
  /// The number of words of texts in full-text indexes, by index. Only counted by the exact walk.
  var textWordCounts: [UInt32: Int] = [:]
  /// The object that was named last.
  private var lastName: (object: RowKey, text: String)?
  /// Buffers for the key and the value of an entry.
  var key = OrderedKey()
  var entry = ByteBuffer()

  private init(_ snapshot: Snapshot, isExact: Bool, _ progress: WorkProgress) {
    self.snapshot = snapshot
    self.isExact = isExact
    self.progress = progress
    let fileKey = snapshot.environment.fileKey
    self.fileKey = FileKey(low: fileKey.first, high: fileKey.second)
  }

  /// Checks a version. Damage is reported as a problem.
  ///
  /// - Parameter watch: Receives the progress in units of pages and entries, and may stop the
  ///   check. The progress does not change while the problems are searched for.
  /// - Throws: `.cancelled`; `.addressSpaceExhausted` without memory for the check of the pages.
  /// - Complexity: O(bytes of the file); if there are problems, also one or two look-ups for each
  ///   entry.
  package static func run(
    _ snapshot: Snapshot, watch: WorkWatch? = nil
  ) throws(Failure) -> Report {
    try Failure.translating(
      try run(snapshot, WorkProgress(watch?.observer, path: snapshot.environment.path)))
  }

  /// Checks a version as ``run(_:watch:)`` does, without reports to the watch.
  static func run(_ snapshot: Snapshot, stoppedBy watch: WorkWatch?) throws(Failure) -> Report {
    try Failure.translating(
      try run(
        snapshot,
        WorkProgress(watch?.observer, path: snapshot.environment.path, isReported: false)))
  }

  private static func run(
    _ snapshot: Snapshot, _ progress: WorkProgress
  ) throws(StorageError) -> Report {
    let pageCount = snapshot.pageCount
    try progress.begin(total: pageCount + snapshot.entryCount)
    let pages = try snapshot.environment.reportPages(of: snapshot, progress)
    try progress.advance(to: pageCount)
    var check = StoreCheck(snapshot, isExact: pages.damageCount > 0, progress)
    check.walk()
    if !check.isExact, !check.report.isSound || check.required != check.stored {
      let first = check
      check = StoreCheck(snapshot, isExact: true, progress)
      check.walk()
      check.noteDifferences(of: first)
    }
    if let stop = check.stop { throw stop }
    check.report.note(pages)
    try progress.finish()
    return check.report
  }

  private mutating func walk() {
    guard loadSchema() else { return }
    for schema in schema.classes { checkRows(of: schema) }
    checkClassTables()
    checkRecords()
    if isExact {
      checkIndexEntries()
      checkBacklinks()
      checkCollectionRecords()
    } else {
      addStoredEntries()
    }
    checkListNodes()
    checkEntries()
    checkBlobs()
  }

  /// Whether the walk goes on: it was not stopped, and can still find what it looks for.
  mutating func advance(by units: Int = 1) -> Bool {
    guard stop == nil, isExact || report.problemCount == 0 else { return false }
    do throws(StorageError) {
      try progress.advance(by: units)
      return true
    } catch {
      stop = error
      return false
    }
  }

  /// The description of a place, which only the exact walk reports.
  func place(_ text: @autoclosure () -> String) -> String { isExact ? text() : "" }

  /// The name of an object in problems, which only the exact walk reports.
  mutating func name(_ schema: ClassSchema, _ id: UInt64) -> String {
    guard isExact else { return "" }
    let object = RowKey(classID: schema.id, objectID: id)
    if let last = lastName, last.object == object { return last.text }
    let text = "\(schema.name) \(snapshot.keyText(schema, id, row: nil))"
    lastName = (object, text)
    return text
  }

  // MARK: The schema

  private mutating func loadSchema() -> Bool {
    let problemCount = report.problemCount
    var lastKeys: [UInt32] = []
    forEachEntry(of: .catalog) { check, key, value in
      check.checkCatalogEntry(key, value, &lastKeys)
    }
    guard report.problemCount == problemCount else { return false }
    do throws(Failure) {
      schema = try FileSchema.load(from: snapshot, snapshot.root)
    } catch {
      note(.damagedClass, "catalog", error.message)
      return false
    }
    report.classCount = schema.classes.count
    checkIDs()
    for id in lastKeys where schema.schema(ofClass: id)?.generatesKeys != true {
      note(.damagedClass, "catalog", "a last key of class \(id), which does not generate keys")
    }
    return true
  }

  private mutating func checkCatalogEntry(
    _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, _ lastKeys: inout [UInt32]
  ) {
    do throws(FormatError) {
      switch try CatalogKey(decoding: key) {
      case .classRecord(let id):
        let record = try CatalogCodec.decodeClass(value)
        if record.id != id { note(.damagedClass, record.name, "stored under another id") }
      case .lastKey(let id):
        _ = try LastKeyRecord(decoding: value)
        lastKeys.append(id)
      case .model:
        let generation = try CatalogCodec.decodeGeneration(value)
        if generation > snapshot.root.schemaGeneration {
          note(.damagedClass, "catalog", "a model of a future schema")
        }
      }
    } catch {
      note(.damagedClass, "catalog", error.description)
    }
  }

  private mutating func checkIDs() {
    let root = snapshot.root
    var indexes: Set<UInt32> = []
    for schema in schema.classes {
      for property in schema.properties {
        let location = "\(schema.name).\(property.name)"
        if property.id >= schema.record.nextPropertyID {
          note(.unknownID, location, "property id \(property.id) was not assigned")
        }
        if property.kind.type == .link, self.schema.schema(ofClass: property.linkedClassID) == nil {
          note(.damagedClass, location, "links to no class")
        }
        guard property.indexID != 0 else { continue }
        if property.indexID >= root.nextIndexID || !indexes.insert(property.indexID).inserted {
          note(.unknownID, location, "index id \(property.indexID) was not assigned, or twice")
        }
      }
      for index in schema.indexes
      where index.id >= root.nextIndexID || index.id == 0 || !indexes.insert(index.id).inserted {
        note(.unknownID, schema.name, "index id \(index.id) was not assigned, or twice")
      }
    }
  }

  /// Calls `body` with the entries of a table, or only with the entries whose keys begin with a
  /// prefix.
  mutating func forEachEntry(
    of table: Table, under prefix: OrderedKey? = nil,
    _ body: (inout StoreCheck, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) ->
      Void
  ) {
    var cursor = snapshot.cursor(table)
    var isPresent = prefix?.withUnsafeBytes { cursor.seek(key: $0) } ?? cursor.seekFirst()
    while isPresent, prefix?.withUnsafeBytes({ cursor.key.starts(with: $0) }) ?? true, advance() {
      body(&self, cursor.key, cursor.value)
      isPresent = cursor.next()
    }
  }

  // MARK: Findings

  mutating func note(_ kind: Problem.Kind, _ location: String, _ detail: String) {
    report.problemCount += 1
    guard report.problems.count < Report.maximumProblems else { return }
    report.problems.append(Problem(kind: kind, place: location, detail: detail))
  }
}
