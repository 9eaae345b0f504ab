import VarveCore
import VarveEncoding
import VarveStorage

/// The sizes of a version: of its tables, classes, largest objects and largest collections.
struct StoreStatistics {
  struct TableSize: Equatable {
    /// `objects of Dog`, `indexes`, `lists`.
    var name: String
    var entryCount: Int
    /// The bytes of the keys and values.
    var contentBytes: Int
    /// The bytes of the pages.
    var pageBytes: Int

    /// The share of the pages that keys and values fill, in percent.
    var fill: Int { pageBytes == 0 ? 0 : contentBytes * 100 / pageBytes }
  }

  struct ClassSize: Equatable {
    var name: String
    var objectCount = 0
    /// The bytes of the rows, with the collections and short strings in them.
    var rowBytes = 0
    /// The bytes of strings and data outside rows.
    var blobBytes = 0
    var blobCount = 0
    /// The collections that are not empty, in rows and outside, and the number of their elements.
    var inlineCollectionCount = 0
    var outsideCollectionCount = 0
    var elementCount = 0
  }

  /// An object, or a collection of one.
  struct Item: Equatable {
    var className: String
    /// The primary key of the object; nil if its class has none.
    var primaryKey: Value?
    var objectID: UInt64
    var property: String?
    /// A number of bytes, or of elements.
    var size: Int
  }

  private(set) var tables: [TableSize] = []
  private(set) var classes: [ClassSize] = []
  /// The objects with the most bytes in their rows and outside, in descending order.
  private(set) var largestObjects: [Item] = []
  /// The collections with the most elements, in descending order.
  private(set) var largestCollections: [Item] = []

  /// Reads a version.
  ///
  /// - Parameters:
  ///   - maximum: The maximum number of largest objects and collections.
  ///   - progress: A closure that receives the number of entries read so far, and the total number.
  /// - Throws: A `Failure` with `.corrupted`; any error thrown by `progress`.
  /// - Complexity: O(entries).
  init(
    of version: StoreVersion, listing maximum: Int,
    _ progress: (_ done: Int, _ total: Int) throws -> Void
  ) throws {
    let snapshot = version.snapshot
    let classes = version.schema.classes.sorted { $0.name < $1.name }
    let total =
      classes.reduce(0) { $0 + snapshot.count($1.table) }
      + Table.fixed.reduce(0) { $0 + snapshot.count($1) }
    var done = 0
    func size(
      _ table: Table, _ name: String, _ body: (borrowing EntryCursor) throws -> Void = { _ in }
    ) throws -> TableSize {
      var size = TableSize(
        name: name, entryCount: 0, contentBytes: 0,
        pageBytes: Int(clamping: snapshot.byteCount(of: table) ?? 0))
      var cursor = snapshot.cursor(table)
      var isPresent = cursor.seekFirst()
      while isPresent {
        size.entryCount += 1
        size.contentBytes += cursor.key.count + cursor.value.count
        try body(cursor)
        done += 1
        if done % 4096 == 0 { try progress(done, total) }
        isPresent = cursor.next()
      }
      try version.requireUndamaged()
      return size
    }
    for schema in classes {
      var counted = ClassSize(name: schema.name)
      var sequence = RowSequence(of: schema, count: snapshot.count(schema.table))
      let table = try size(schema.table, "objects of \(schema.name)") { cursor in
        try sequence.note(cursor.id)
        try add(cursor.id, cursor.value, schema, to: &counted, snapshot, maximum)
      }
      try sequence.end()
      tables.append(table)
      self.classes.append(counted)
    }
    for table in Table.fixed { tables.append(try size(table, table.name)) }
    tables.removeAll { $0.entryCount == 0 }
    tables.sort { ($1.pageBytes, $0.name) < ($0.pageBytes, $1.name) }
    try progress(total, total)
  }

  private mutating func add(
    _ id: UInt64, _ bytes: UnsafeRawBufferPointer, _ schema: ClassSchema,
    to size: inout ClassSize, _ snapshot: Snapshot, _ maximum: Int
  ) throws(Failure) {
    let row = try Failure.decoding(
      "A row is damaged.", className: schema.name, try schema.reader(for: bytes))
    size.objectCount += 1
    size.rowBytes += bytes.count
    var outside = 0
    for property in schema.properties {
      guard let field = row.layout.field(forProperty: property.id), field.isStored else { continue }
      if property.kind.collection != .none {
        let content = row.collectionContent(field)
        guard content.count > 0 else { continue }
        if content.isInline {
          size.inlineCollectionCount += 1
        } else {
          size.outsideCollectionCount += 1
        }
        size.elementCount += content.count
        try Self.enter(
          &largestCollections, content.count, schema, id, property.name, snapshot, maximum)
      } else if field.kind.isVariable {
        let stored = try Failure.decoding(
          "A row is damaged.", className: schema.name, propertyName: property.name,
          try row.value(field))
        guard case .blob(let reference, _) = stored else { continue }
        size.blobCount += 1
        size.blobBytes += Int(reference.byteCount)
        outside += Int(reference.byteCount)
      }
    }
    try Self.enter(&largestObjects, bytes.count + outside, schema, id, nil, snapshot, maximum)
  }

  /// Enters an item into a list of the largest ones.
  private static func enter(
    _ items: inout [Item], _ size: Int, _ schema: ClassSchema, _ id: UInt64,
    _ property: String?, _ snapshot: Snapshot, _ maximum: Int
  ) throws(Failure) {
    guard maximum > 0, items.count < maximum || size > items[items.count - 1].size else {
      return
    }
    var key: Value?
    if let property = schema.primaryKey { key = try snapshot.value(schema, id, property) }
    let item = Item(
      className: schema.name, primaryKey: key, objectID: id, property: property, size: size)
    items.insert(item, at: items.firstIndex { $0.size < size } ?? items.count)
    if items.count > maximum { items.removeLast() }
  }
}
