import VarveEncoding
package import VarveStorage

/// Verifies one version of a file, from its rows outwards.
///
/// It checks that
/// - every class record and every row decodes, and has its checksum;
/// - only classes with generated keys have a record of the last one;
/// - every indexed value has its entry, and every entry its row with that value;
/// - the same of the indexes of classes;
/// - every link leads to an object and has its backlink, and every backlink its link;
/// - every embedded object has one place;
/// - every collection has its record, its elements and the count that its slot says, and nothing else
///   is stored of collections;
/// - every nested collection stands in one place, where its record says;
/// - every list is a sound tree (``ListTreeCheck``);
/// - every blob is there with all its chunks, belongs to one value, and no other is stored;
/// - no id is in use that was not handed out.
///
/// The pages that hold all this are checked first; see `StructureWalk`.
///
/// Thread safety: a value for one thread.
package struct StoreCheck {
  let snapshot: Snapshot
  let fileKey: FileKey
  var schema = FileSchema.empty
  var report = Report()

  /// Entries of `backlinks` that the rows and collections call for.
  var neededBacklinks = 0
  /// Entries of `dictionaries` and `sets` and nodes of `lists` that belong to a collection.
  var neededEntries: [Table: Int] = [:]
  /// The blobs that values refer to, with their chunks. Few: only values over 512 bytes have one.
  var blobs: [UInt64: Int] = [:]
  /// The collections that stand in mixed values.
  var nestedIDs: Set<UInt64> = []
  /// Those whose elements are still to be verified.
  var waitingNested: [(inout StoreCheck) -> Void] = []
  /// Entries of class indexes that rows call for, by index.
  var neededClassEntries: [UInt32: Int] = [:]
  var key = OrderedKey()

  private init(_ snapshot: Snapshot) {
    self.snapshot = snapshot
    let fileKey = snapshot.environment.fileKey
    self.fileKey = FileKey(low: fileKey.first, high: fileKey.second)
  }

  /// Checks a version.
  ///
  /// - Returns: what was found. It never throws and never traps: damage is a finding.
  /// - Complexity: O(bytes of the file), plus one or two look-ups for each entry.
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
      note(.damagedClass, "catalog", "a last key of class \(id), which generates none")
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
        if record.id != id { note(.damagedClass, record.name, "stands under another id") }
      case .lastKey(let id):
        _ = try LastKeyRecord(decoding: value)
        lastKeys.append(id)
      case .model:
        let generation = try CatalogCodec.decodeGeneration(value)
        if generation > snapshot.root.schemaGeneration {
          note(.damagedClass, "catalog", "a model of a schema to come")
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
        let place = "\(schema.name).\(property.name)"
        if property.id >= schema.record.nextPropertyID {
          note(.unknownID, place, "property id \(property.id)")
        }
        if property.kind.type == .link, self.schema.schema(ofClass: property.linkedClassID) == nil {
          note(.damagedClass, place, "links to no class")
        }
        guard property.indexID != 0 else { continue }
        if property.indexID >= root.nextIndexID || !indexes.insert(property.indexID).inserted {
          note(.unknownID, place, "index id \(property.indexID)")
        }
      }
      for index in schema.indexes
      where index.id >= root.nextIndexID || index.id == 0 || !indexes.insert(index.id).inserted {
        note(.unknownID, schema.name, "index id \(index.id)")
      }
    }
  }

  /// Tables that were opened for classes to come are empty.
  private mutating func checkSpareTables() {
    let spare = 2 * WriterState.spareClassTables + UInt32(WriterState.maximumPendingClasses)
    for id in 1..<snapshot.root.nextClassID + spare
    where schema.schema(ofClass: id) == nil {
      let count = snapshot.count(.objects(ofClass: id))
      if count > 0 { note(.strayRow, "table of class \(id)", "\(count) rows without a class") }
    }
  }

  /// Calls `body` with the entries of a table, or with those whose keys begin with a prefix.
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

  mutating func note(_ kind: Problem.Kind, _ place: String, _ detail: String) {
    report.problemCount += 1
    guard report.problems.count < Report.maximumProblems else { return }
    report.problems.append(Problem(kind: kind, place: place, detail: detail))
  }
}
