import VarveEncoding
package import VarveStorage

/// Verifies one version of a file, starting from its rows.
///
/// It checks that
/// - every class record and every row can be decoded and has a valid checksum;
/// - only classes with generated keys have a record of the last key;
/// - every indexed value has an entry, and every entry has a row with its value, in the indexes of
///   properties and of classes;
/// - every link refers to an object and has a backlink, and every backlink has a link;
/// - every embedded object has exactly one owner;
/// - every collection has a record, its elements and the count in its slot, and no other collection
///   data is stored;
/// - every nested collection is in one location, as in its record;
/// - every list is a valid tree (``ListTreeCheck``);
/// - every blob has all its chunks and belongs to one value, and no other blob is stored;
/// - no id is in use that has not been allocated.
///
/// The pages are checked first; see `StructureWalk`.
package struct StoreCheck {
  let snapshot: Snapshot
  let fileKey: FileKey
  var schema = FileSchema.empty
  var report = Report()

  /// The number of `backlinks` entries that the rows and collections require.
  var neededBacklinks = 0
  /// The numbers of `dictionaries` and `sets` entries and `lists` nodes that belong to a
  /// collection.
  var neededEntries: [Table: Int] = [:]
  /// The blobs that values refer to, with their numbers of chunks. There are few: only values of
  /// more than 512 bytes have one.
  var blobs: [UInt64: Int] = [:]
  /// The collections that are nested in mixed values.
  var nestedIDs: Set<UInt64> = []
  /// The nested collections whose elements have not been verified yet.
  var waitingNested: [(inout StoreCheck) -> Void] = []
  /// The number of class index entries that rows require, by index.
  var neededClassEntries: [UInt32: Int] = [:]
  var key = OrderedKey()

  private init(_ snapshot: Snapshot) {
    self.snapshot = snapshot
    let fileKey = snapshot.environment.fileKey
    self.fileKey = FileKey(low: fileKey.first, high: fileKey.second)
  }

  /// Checks a version. Damage is reported as a problem; the check neither throws nor traps.
  ///
  /// - Complexity: O(bytes of the file), plus one or two lookups for each entry.
  package static func run(_ snapshot: Snapshot) -> Report {
    var check = StoreCheck(snapshot)
    do throws(StorageError) {
      try snapshot.environment.checkPages(of: snapshot)
    } catch {
      check.note(.damagedPage, error.page.map { "page \($0)" } ?? "file", error.detail)
    }
    check.walk()
    return check.report
  }

  private mutating func walk() {
    guard loadSchema() else { return }
    for schema in schema.classes { checkRows(of: schema) }
    checkSpareTables()
    checkIndexEntries()
    checkBacklinks()
    checkCollectionRecords()
    checkListNodes()
    checkEntries()
    checkBlobs()
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
          note(.unknownID, location, "property id \(property.id)")
        }
        if property.kind.type == .link, self.schema.schema(ofClass: property.linkedClassID) == nil {
          note(.damagedClass, location, "links to no class")
        }
        guard property.indexID != 0 else { continue }
        if property.indexID >= root.nextIndexID || !indexes.insert(property.indexID).inserted {
          note(.unknownID, location, "index id \(property.indexID)")
        }
      }
      for index in schema.indexes
      where index.id >= root.nextIndexID || index.id == 0 || !indexes.insert(index.id).inserted {
        note(.unknownID, schema.name, "index id \(index.id)")
      }
    }
  }

  /// Checks that the tables opened in advance for future classes are empty.
  private mutating func checkSpareTables() {
    let spare = 2 * WriterState.spareClassTables + UInt32(WriterState.maximumPendingClasses)
    for id in 1..<snapshot.root.nextClassID + spare
    where schema.schema(ofClass: id) == nil {
      let count = snapshot.count(.objects(ofClass: id))
      if count > 0 { note(.strayRow, "table of class \(id)", "\(count) rows without a class") }
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
    while isPresent, prefix?.withUnsafeBytes({ cursor.key.starts(with: $0) }) ?? true {
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
