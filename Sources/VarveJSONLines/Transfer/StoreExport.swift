import VarveCore
import VarveEncoding
import VarveStorage

/// Writes one version of a store as JSON Lines; `Docs/JSON-Lines.md` tells the format.
///
/// It knows the file's schema and no model. Memory does not grow with the number of objects, nor with the length of a
/// list or a set; a dictionary is read whole.
///
/// Thread safety: none; each export makes its own.
struct StoreExport {
  /// How far an export or an import has come.
  typealias Progress = (_ done: Int, _ total: Int?) throws -> Void

  private static let progressStep = 1024

  let snapshot: Snapshot
  let file: FileSchema
  var writer: JSONWriter
  /// How many embedded objects stand around what is being written.
  var embeddedDepth = 0
  private let chosen: [ClassSchema]
  /// The greatest primary keys that were generated, by class id, where the objects that are written do not show them.
  let lastKeys: [UInt32: Int64]

  /// - Parameters:
  ///   - snapshot: the version.
  ///   - classNames: the classes whose objects are written; nil: all of them.
  ///   - isIndented: whether objects are spread over several lines, for people; such a text cannot be imported.
  ///   - sink: takes the text, block by block.
  /// - Throws: `.unknownClass`; `.invalidInput` for an embedded class.
  init(
    _ snapshot: Snapshot, classNames: [String]?, isIndented: Bool,
    sink: @escaping ([UInt8]) throws -> Void
  ) throws(Failure) {
    let file = try FileSchema.load(from: snapshot, snapshot.root)
    self.snapshot = snapshot
    self.file = file
    writer = JSONWriter(isIndented: isIndented, sink: sink)
    for name in classNames ?? [] {
      guard let schema = file.schema(named: name) else {
        throw .unknownClass(name)
      }
      guard !schema.record.isEmbedded else {
        throw Failure(
          .invalidInput, "Embedded objects stand within the objects that they belong to.",
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

  /// Writes everything.
  ///
  /// - Parameter progress: told from time to time.
  /// - Returns: the number of objects.
  /// - Throws: `.corrupted` for damaged bytes; what the sink and `progress` throw.
  mutating func run(_ progress: Progress?) throws -> Int {
    let counts = Dictionary(
      uniqueKeysWithValues: chosen.map { ($0.id, snapshot.count($0.table)) })
    let total = counts.values.reduce(0, +)
    writeHeader(counts)
    var done = 0
    for schema in chosen {
      var cursor = snapshot.cursor(schema.table)
      var isPresent = cursor.seekFirst()
      while isPresent {
        try write(cursor.id, cursor.value, of: schema)
        done += 1
        if done % Self.progressStep == 0 { try progress?(done, total) }
        isPresent = cursor.next()
      }
    }
    try writer.flush()
    try progress?(done, total)
    return done
  }

  private mutating func write(
    _ id: UInt64, _ bytes: UnsafeRawBufferPointer, of schema: ClassSchema
  ) throws {
    let row: RowReader
    do throws(FormatError) {
      row = try schema.reader(for: bytes)
    } catch {
      throw Failure(error, message: "A row is damaged.", className: schema.name)
    }
    writer.beginObject()
    writer.member("class")
    writer.string(schema.name)
    try writeIdentity(id, row, of: schema)
    writer.member("values")
    try writeValues(id, row, of: schema)
    writer.endObject()
    writer.endLine()
    try writer.flushBlock()
  }
}

extension FileSchema {
  /// The classes in the order of the bytes of their names.
  var classesByName: [ClassSchema] {
    classes.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }
}

extension Snapshot {
  /// The greatest primary key that a class with generated keys has had.
  ///
  /// `isSeenInRows`: whether the objects show theirs. Nil then for one that they show.
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
