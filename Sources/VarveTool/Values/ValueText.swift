import VarveCore
import VarveEncoding
import VarveJSONLines

/// The text of values: strings as they are, and all others as in JSON, without quotes.
///
/// Thread safety: a value; use it from one thread.
struct ValueText {
  private final class Buffer {
    var bytes: [UInt8] = []
  }

  private let buffer: Buffer
  private var objects: ObjectWriter

  init(_ version: StoreVersion) {
    let buffer = Buffer()
    self.buffer = buffer
    objects = ObjectWriter(
      version.snapshot, version.schema, writesMarks: false, JSONWriter { buffer.bytes += $0 })
  }

  /// Returns the text of a value.
  ///
  /// - Throws: A `Failure` with `.corrupted`, or with `.invalidInput` for values that are nested too
  ///   deeply.
  mutating func text(of cell: Cell) throws -> String {
    switch cell {
    case .id(let number): return String(number)
    case .count(let number): return String(number)
    case .value(.string(let text), _): return text
    case .value(.int(let number), let property) where property.kind.type != .mixed:
      return String(number)
    case .value(let value, _) where value.isScalar: return JSONScalar.plainText(of: value)
    case .blob(let stored, let property):
      return JSONScalar.plainText(
        of: try objects.snapshot.resolve(stored, property: property, isVerified: true))
    case .value, .collection: return try json(of: cell)
    }
  }

  /// Returns a value as JSON. See ``text(of:)``.
  mutating func json(of cell: Cell) throws -> String {
    try objects.write(cell)
    try objects.json.flush()
    defer { buffer.bytes.removeAll(keepingCapacity: true) }
    return String(decoding: buffer.bytes, as: UTF8.self)
  }
}

extension Value {
  /// Whether the value is neither a link nor a collection.
  fileprivate var isScalar: Bool {
    switch self {
    case .link, .nested: false
    default: true
    }
  }
}
