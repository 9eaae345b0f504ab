import VarveEncoding
import VarveStorage

/// Sums a property over the matching rows.
///
/// Doubles are added in id order on one thread, as in ``ValueSum``. Integers are added exactly, in
/// any order.
struct SumSink: RowSink {
  private(set) var sum = ValueSum()
  private let property: StoredProperty

  init(_ property: StoredProperty) { self.property = property }

  /// Whether partial sums may be computed concurrently.
  static func isShareable(_ property: StoredProperty) -> Bool { property.kind.type.isInteger }

  mutating func take(
    _ rows: SelectedRows, of layout: RowLayout, _ reader: any TableReader
  ) throws(Failure) -> Bool {
    switch FieldLocation(property, in: layout) {
    case .objectID:
      addWords(rows) {
        UInt64(bitPattern: ObjectKey.integer(forObjectID: SelectedRows.id(ofRow: $0)))
      }
    case .constant(let value):
      for _ in 0..<rows.count { sum.add(value) }
    case .stored(let field): try take(rows, field, layout, reader)
    }
    return true
  }

  mutating func take(
    _ row: RowReader, id: UInt64, _ reader: any TableReader
  ) throws(Failure) -> Bool {
    sum.add(try reader.value(of: row, id, property))
    return true
  }

  private mutating func take(
    _ rows: SelectedRows, _ field: RowField, _ layout: RowLayout, _ reader: any TableReader
  ) throws(Failure) {
    let offset = field.offset
    switch field.kind.type {
    case .int64 where field.isStored: addWords(rows, field) { $0.uint64(at: offset) }
    case .int32 where field.isStored: addWords(rows, field) { FieldTest.word32($0, offset) }
    case .int16 where field.isStored: addWords(rows, field) { FieldTest.word16($0, offset) }
    case .int8 where field.isStored: addWords(rows, field) { FieldTest.word8($0, offset) }
    case .double: addDoubles(rows, field) { Double(bitPattern: $0.uint64(at: offset)) }
    case .float: addDoubles(rows, field) { Double(Float(bitPattern: $0.uint32(at: offset))) }
    default:
      for index in 0..<rows.count {
        let row = try RowReader(checked: rows.row(index), layout: layout)
        sum.add(try reader.value(of: row, rows.id(index), property))
      }
    }
  }

  @inline(__always)
  private mutating func addWords(
    _ rows: SelectedRows, _ field: RowField? = nil, _ load: (UnsafeRawPointer) -> UInt64
  ) {
    let (byte, mask) = (field?.nullByte ?? 0, field?.nullMask ?? 0)
    var count = 0
    // Sums the two halves of the words separately, so that the sum of a page cannot overflow.
    var low: UInt64 = 0
    var high: Int64 = 0
    for index in 0..<rows.count {
      let row = rows.row(index)
      if mask != 0, row.uint8(at: byte) & mask != 0 { continue }
      let word = load(row)
      low &+= word & 0xFFFF_FFFF
      high &+= Int64(bitPattern: word) >> 32
      count &+= 1
    }
    sum.addIntegers(Int128(high) << 32 + Int128(low), count: count)
  }

  @inline(__always)
  private mutating func addDoubles(
    _ rows: SelectedRows, _ field: RowField, _ load: (UnsafeRawPointer) -> Double
  ) {
    let (byte, mask) = (field.nullByte, field.nullMask)
    sum.addDoubles { total in
      var count = 0
      for index in 0..<rows.count {
        let row = rows.row(index)
        if mask != 0, row.uint8(at: byte) & mask != 0 { continue }
        total += load(row)
        count &+= 1
      }
      return count
    }
  }
}
