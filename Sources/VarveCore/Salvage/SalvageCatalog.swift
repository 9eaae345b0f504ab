import VarveEncoding
import VarveStorage

/// The classes of a damaged file that can be used.
///
/// A record of a class has a checksum and contains the id of the class, so it is used even if its
/// key is damaged.
struct SalvageCatalog {
  private(set) var classes: [ClassSchema] = []
  private var records: [UInt32: StoredClass] = [:]
  private var lastKeys: [UInt32: [UInt8]] = [:]
  /// Sound records under other keys than theirs, with the id in the key if it is that of a class.
  private var misplaced: [(record: StoredClass, keyID: UInt32?)] = []
  private var lostIDs: Set<UInt32> = []

  /// Reads the catalog. Classes that cannot be decoded, and properties that link to them, are left
  /// out and reported. So are classes whose record is missing and whose table has objects.
  init(_ snapshot: Snapshot, _ found: SalvagedPages, _ report: inout SalvageReport) {
    var cursor = snapshot.cursor(.catalog)
    while cursor.next() { read(cursor.key, cursor.value, snapshot.root.nextClassID, &report) }
    for (record, keyID) in misplaced where !add(record) {
      // Another entry has a record of this class, so it is unknown which class this entry was.
      if let keyID { lostIDs.insert(keyID) } else { report.lacksPages = true }
    }
    makeClasses(&report)
    noteLost(found, &report)
  }

  private mutating func read(
    _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, _ idLimit: UInt32,
    _ report: inout SalvageReport
  ) {
    let key = try? CatalogKey(decoding: key)
    if case .model = key { return }
    if let record = try? CatalogCodec.decodeClass(value), record.id > 0, record.id < idLimit,
      (try? ClassSchema(record)) != nil
    {
      if key != .classRecord(id: record.id) {
        misplaced.append((record, key?.classRecordID))
      } else if !add(record) {
        lostIDs.insert(record.id)
      }
      return
    }
    switch key {
    case .classRecord(let id): lostIDs.insert(id)
    case .lastKey(let id):
      // Without the record, a generated key could be used again.
      if (try? LastKeyRecord(decoding: value)) != nil {
        lastKeys[id] = Array(value)
      } else {
        report.lostValueCount += 1
      }
    case .model: break
    case nil where (try? LastKeyRecord(decoding: value)) != nil: report.lostValueCount += 1
    case nil: report.lacksPages = true
    }
  }

  /// - Returns: Whether there is no other class with this id or name.
  private mutating func add(_ record: StoredClass) -> Bool {
    guard !records.values.contains(where: { $0.id == record.id || $0.name == record.name }) else {
      return false
    }
    records[record.id] = record
    return true
  }

  private mutating func makeClasses(_ report: inout SalvageReport) {
    for id in records.keys.sorted() {
      guard var record = records[id] else { continue }
      record.properties.removeAll { property in
        guard property.kind.type == .link, records[property.linkedClassID] == nil else {
          return false
        }
        report.lostProperties.append("\(record.name).\(property.name)")
        return true
      }
      if let schema = try? ClassSchema(record) {
        classes.append(schema)
      } else {
        lostIDs.insert(id)
      }
    }
  }

  /// Reports the lost classes, and the records of last keys that are not those of a class.
  private mutating func noteLost(_ found: SalvagedPages, _ report: inout SalvageReport) {
    let known = Set(classes.map(\.id))
    // A class has a table even if it has no objects.
    if classes.contains(where: { found.tables[$0.table] == nil }) { report.lacksPages = true }
    for (table, count) in found.tables {
      guard let id = table.classID, !known.contains(id), max(count.expected ?? 0, count.found) > 0
      else { continue }
      lostIDs.insert(id)
    }
    for id in lostIDs.sorted() {
      // One of two entries for the class was used, and the other one is of an unknown class.
      guard !known.contains(id) else {
        report.lacksPages = true
        continue
      }
      report.lostClasses.append(
        .init(name: "class \(id)", objectCount: Self.objectCount(ofClass: id, found)))
    }
    // The last key of a lost class is lost with it.
    let generating = Set(classes.filter(\.generatesKeys).map(\.id))
    for id in lastKeys.keys where !generating.contains(id) && !lostIDs.contains(id) {
      report.lostValueCount += 1
    }
  }

  private static func objectCount(ofClass id: UInt32, _ found: SalvagedPages) -> Int? {
    // The id of a damaged key may be any.
    guard id <= Table.maximumClassID, let count = found.tables[.objects(ofClass: id)] else {
      return found.isTableListDamaged ? nil : 0
    }
    if let expected = count.expected { return max(expected, count.found) }
    return count.found > 0 ? count.found : nil
  }

  /// Stores the catalog in an empty file, and creates the tables of the classes.
  func write(to path: String) throws(StorageError) {
    let environment = try Environment.open(SalvagedFile.options(path))
    do throws(StorageError) {
      let transaction = try environment.beginWrite(timeout: .seconds(30))
      do throws(StorageError) {
        try put(transaction)
        _ = try transaction.commit()
      } catch {
        transaction.abort()
        throw error
      }
    } catch {
      try? environment.close()
      throw error
    }
    try environment.close()
  }

  private func put(_ transaction: WriteTransaction) throws(StorageError) {
    var key = OrderedKey()
    var buffer = ByteBuffer()
    for schema in classes {
      _ = try transaction.openTable(schema.table, create: true)
      CatalogKey.classRecord(id: schema.id).encode(into: &key)
      buffer.removeAll()
      CatalogCodec.encode(schema.record, into: &buffer)
      try put(transaction, key, buffer)
      guard schema.generatesKeys, let lastKey = lastKeys[schema.id] else { continue }
      CatalogKey.lastKey(classID: schema.id).encode(into: &key)
      buffer.removeAll()
      lastKey.withUnsafeBytes { buffer.append($0) }
      try put(transaction, key, buffer)
    }
  }

  private func put(
    _ transaction: WriteTransaction, _ key: OrderedKey, _ value: ByteBuffer
  ) throws(StorageError) {
    try key.withUnsafeBytes { (key) throws(StorageError) in
      try value.withUnsafeBytes { (value) throws(StorageError) in
        try transaction.put(.catalog, key: key, value)
      }
    }
  }
}

extension CatalogKey {
  /// The id of a key of a class record; nil for another key.
  fileprivate var classRecordID: UInt32? {
    if case .classRecord(let id) = self { id } else { nil }
  }
}
