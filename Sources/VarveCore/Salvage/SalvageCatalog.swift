import VarveEncoding
import VarveStorage

/// The classes of a damaged file that can be used.
struct SalvageCatalog {
  private(set) var classes: [ClassSchema] = []
  private var lastKeys: [UInt32: [UInt8]] = [:]

  /// Reads the catalog. Classes that cannot be decoded, and properties that link to them, are left
  /// out and reported.
  init(_ snapshot: Snapshot, _ report: inout SalvageReport) {
    var records: [UInt32: StoredClass] = [:]
    var cursor = snapshot.cursor(.catalog)
    while cursor.next() {
      switch try? CatalogKey(decoding: cursor.key) {
      case .classRecord(let id):
        if let record = try? CatalogCodec.decodeClass(cursor.value), record.id == id, id > 0,
          id < snapshot.root.nextClassID, (try? ClassSchema(record)) != nil,
          !records.values.contains(where: { $0.name == record.name })
        {
          records[id] = record
        } else {
          report.lostClasses.append("class \(id)")
        }
      case .lastKey(let id):
        // Without the record, a generated key could be used again.
        if (try? LastKeyRecord(decoding: cursor.value)) != nil {
          lastKeys[id] = Array(cursor.value)
        } else {
          report.lostValueCount += 1
        }
      case .model: break
      case nil: report.lacksPages = true
      }
    }
    for id in records.keys.sorted() {
      guard var record = records[id] else { continue }
      record.properties.removeAll { property in
        guard property.kind.type == .link, records[property.linkedClassID] == nil else {
          return false
        }
        report.lostProperties.append("\(record.name).\(property.name)")
        return true
      }
      if let schema = try? ClassSchema(record) { classes.append(schema) }
    }
  }

  /// Stores the catalog in an empty file.
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
