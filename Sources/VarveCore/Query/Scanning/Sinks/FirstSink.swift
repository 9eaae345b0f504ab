import Foundation
import VarveEncoding
import VarveStorage

/// Finds the matching objects that sort first by a property.
///
/// The sink keeps up to twice the requested number of entries and drops the second half whenever it
/// is full: O(n) for rows in random order, O(n log k) in the worst case.
struct FirstSink: RowSink {
  /// A value that is not null, as its sort key, and its object.
  struct Entry: Comparable {
    let key: UInt64
    let id: UInt64

    static func < (a: Entry, b: Entry) -> Bool { a.key == b.key ? a.id < b.id : a.key < b.key }
  }

  private let property: StoredProperty
  private let limit: Int
  private let isAscending: Bool
  /// All bits set for descending order, otherwise 0.
  private let inversion: UInt64
  private var found: [Entry] = []
  /// The objects with a null value, up to the limit.
  private var nulls: [UInt64] = []
  /// Keys greater than or equal to this bound are rejected.
  private var bound: UInt64?

  /// - Precondition: ``RowScan/sorts(by:)`` returns true for the property.
  init(_ property: StoredProperty, isAscending: Bool, limit: Int) {
    self.property = property
    self.limit = limit
    self.isAscending = isAscending
    inversion = isAscending ? 0 : .max
  }

  /// The ids in order. When ascending, nulls are first. Ties are broken by ascending id.
  var ids: [UInt64] {
    let ids = found.sorted().map(\.id)
    return Array((isAscending ? nulls + ids : ids + nulls).prefix(limit))
  }

  /// Adds the entries of another part, whose ids are higher.
  mutating func add(_ other: FirstSink) {
    found += other.found
    truncate()
    nulls = Array((nulls + other.nulls).prefix(limit))
  }

  mutating func take(
    _ rows: SelectedRows, of layout: RowLayout, _ reader: any TableReader
  ) throws(Failure) -> Bool {
    switch FieldLocation(property, in: layout) {
    case .objectID:
      for index in 0..<rows.count { add(rows.id(index) ^ inversion, rows.id(index)) }
    case .constant(let value):
      for index in 0..<rows.count { add(value, rows.id(index)) }
    case .stored(let field): take(rows, field)
    }
    return true
  }

  mutating func take(
    _ row: RowReader, id: UInt64, _ reader: any TableReader
  ) throws(Failure) -> Bool {
    add(try reader.value(of: row, id, property), id)
    return true
  }

  private mutating func take(_ rows: SelectedRows, _ field: RowField) {
    let offset = field.offset
    switch field.kind.type {
    case .double, .date:
      addKeys(rows, field) { OrderedDouble.bits(Double(bitPattern: $0.uint64(at: offset))) }
    case .float:
      addKeys(rows, field) {
        OrderedDouble.bits(Double(Float(bitPattern: $0.uint32(at: offset))))
      }
    case .bool: addKeys(rows, field) { $0.uint8(at: offset) != 0 ? 1 : 0 }
    case .link: addKeys(rows, field) { $0.uint64(at: offset) }
    default:
      let width = field.width
      addKeys(rows, field) {
        ObjectKey.objectID(forInteger: $0.int64(at: offset, width: width))
      }
    }
  }

  @inline(__always)
  private mutating func addKeys(
    _ rows: SelectedRows, _ field: RowField, _ load: (UnsafeRawPointer) -> UInt64
  ) {
    let (byte, mask) = (field.nullByte, field.nullMask)
    for index in 0..<rows.count {
      let row = rows.row(index)
      if mask != 0, row.uint8(at: byte) & mask != 0 {
        addNull(rows.id(index))
      } else {
        let key = load(row) ^ inversion
        if let bound, key >= bound { continue }
        add(key, rows.id(index))
      }
    }
  }

  private mutating func add(_ value: Value, _ id: UInt64) {
    if let key = value.sortBits { add(key ^ inversion, id) } else { addNull(id) }
  }

  private mutating func addNull(_ id: UInt64) {
    if nulls.count < limit { nulls.append(id) }
  }

  private mutating func add(_ key: UInt64, _ id: UInt64) {
    // The ids are ascending, so among equal keys the new entry sorts last.
    if let bound, key >= bound { return }
    found.append(Entry(key: key, id: id))
    if found.count >= 2 * limit, found.count >= 256 { truncate() }
  }

  private mutating func truncate() {
    found.sort()
    found.removeLast(max(0, found.count - limit))
    bound = found.last?.key
  }
}

extension Value {
  /// The sort key of the value among values of one type, in the order of ``SortOrder``, with NaN
  /// before the numbers. Nil for null, and for types that are not of a fixed width of at most 8
  /// bytes.
  var sortBits: UInt64? {
    switch self {
    case .bool(let value): value ? 1 : 0
    case .int(let value): ObjectKey.objectID(forInteger: value)
    case .float(let value): OrderedDouble.bits(Double(value))
    case .double(let value): OrderedDouble.bits(value)
    case .date(let value): OrderedDouble.bits(value.timeIntervalSinceReferenceDate)
    case .link(_, let id): id
    case .null, .string, .data, .uuid, .objectId, .decimal, .nested: nil
    }
  }
}
