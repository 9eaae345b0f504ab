package import VarveCore
import VarveEncoding
import VarveStorage

/// Writes one version of a store as JSON Lines. The format is described in `Docs/JSON-Lines.md`.
///
/// An export uses the schema of the file and no model. Memory does not grow with the number of
/// objects. See ``ObjectWriter`` for collections.
///
/// Thread safety: none; each export creates its own.
struct StoreExport {
  /// A closure that reports the objects done so far and the total number, if known.
  typealias Progress = (_ done: Int, _ total: Int?) throws -> Void

  private static let progressInterval = 1024

  let snapshot: Snapshot
  let file: FileSchema
  var objects: ObjectWriter
  private let chosen: [ClassSchema]
  /// The greatest generated primary keys that the exported objects do not show, by class id.
  let lastKeys: [UInt32: Int64]

  /// - Parameters:
  ///   - classNames: The classes whose objects are written, or nil for all of them.
  ///   - isIndented: Whether objects span several indented lines. Indented text cannot be imported.
  ///   - sink: A closure that receives the text, block by block.
  /// - Throws: `.unknownClass`; `.invalidInput` for an embedded class.
  init(
    _ snapshot: Snapshot, classNames: [String]?, isIndented: Bool,
    sink: @escaping ([UInt8]) throws -> Void
  ) throws(Failure) {
    let file = try FileSchema.load(from: snapshot, snapshot.root)
    self.snapshot = snapshot
    self.file = file
    objects = ObjectWriter(
      snapshot, file, writesMarks: true, JSONWriter(isIndented: isIndented, sink: sink))
    for name in classNames ?? [] {
      guard let schema = file.schema(named: name) else {
        throw .unknownClass(name)
      }
      guard !schema.record.isEmbedded else {
        throw Failure(
          .invalidInput, "Objects of an embedded class are exported inside their parents only.",
          className: name)
      }
    }
    let names = classNames.map(Set.init)
    chosen = file.classesByName.filter {
      !$0.record.isEmbedded && names?.contains($0.name) != false
    }
    var lastKeys: [UInt32: Int64] = [:]
    for schema in file.classes where schema.generatesKeys {
      let isWritten = names?.contains(schema.name) != false
      lastKeys[schema.id] = try snapshot.lastKey(of: schema, isSeenInRows: isWritten)
    }
    self.lastKeys = lastKeys
  }

  /// Writes the header and the objects.
  ///
  /// - Parameter progress: A closure that is called once every 1,024 objects and at the end.
  /// - Returns: The number of objects.
  /// - Throws: `.corrupted` for a damaged page, a class without a table, a row, a part of a list,
  ///   an entry or a blob whose checksum is wrong, and rows or elements that are missing or
  ///   repeated; any error thrown by the sink or `progress`.
  mutating func run(_ progress: Progress?) throws -> Int {
    // Damaged class records may have one id.
    let counts = Dictionary(
      chosen.map { ($0.id, snapshot.count($0.table)) }, uniquingKeysWith: { first, _ in first })
    let total = counts.values.reduce(0, +)
    for schema in file.classes where schema.record.isEmbedded || counts[schema.id] != nil {
      guard snapshot.contains(schema.table) else {
        throw Failure(.corrupted, "The table of a class is missing.", className: schema.name)
      }
    }
    objects.json.writeHeader(file, counts, lastKeys)
    var done = 0
    for schema in chosen {
      var sequence = RowSequence(of: schema, count: counts[schema.id] ?? 0)
      var cursor = snapshot.cursor(schema.table)
      var isPresent = cursor.seekFirst()
      while isPresent {
        try sequence.note(cursor.id)
        try write(cursor.id, cursor.value, of: schema)
        done += 1
        if done % Self.progressInterval == 0 { try progress?(done, total) }
        isPresent = cursor.next()
      }
      // A cursor ends at a damaged page.
      if let damage = snapshot.environment.damageError { throw Failure(damage) }
      try sequence.end()
    }
    try objects.json.flush()
    try progress?(done, total)
    return done
  }

  private mutating func write(
    _ id: UInt64, _ bytes: UnsafeRawBufferPointer, of schema: ClassSchema
  ) throws {
    let row: RowReader
    do throws(FormatError) {
      row = try schema.reader(for: bytes)
      try row.verifyChecksum(classID: schema.id, objectID: id)
    } catch {
      throw Failure(error, message: "A row is damaged.", className: schema.name)
    }
    objects.json.beginObject()
    objects.json.member("class")
    objects.json.string(schema.name)
    try objects.writeIdentity(id, row, of: schema)
    objects.json.member("values")
    try objects.writeValues(id, row, of: schema)
    objects.json.endObject()
    objects.json.endLine()
    try objects.json.flushBlock()
  }
}

extension FileSchema {
  /// The classes ordered by the UTF-8 bytes of their names.
  package var classesByName: [ClassSchema] {
    classes.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }
}

extension Snapshot {
  /// Returns the greatest primary key that a class with generated keys has ever used.
  ///
  /// - Parameter isSeenInRows: Whether the rows of the class are exported. The result is nil then
  ///   if one of them has the greatest key.
  fileprivate func lastKey(
    of schema: ClassSchema, isSeenInRows: Bool
  ) throws(Failure) -> Int64? {
    var cursor = cursor(schema.table)
    let stored = cursor.seekLast() ? ObjectKey.integer(forObjectID: cursor.id) : .min
    let deleted = try lastKey(ofClass: schema.id) ?? 0
    let last = isSeenInRows && stored >= deleted ? 0 : max(stored, deleted)
    return last > 0 ? last : nil
  }
}
