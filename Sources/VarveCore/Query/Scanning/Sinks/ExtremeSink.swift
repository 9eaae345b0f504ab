import Foundation
import VarveEncoding
import VarveStorage

/// Finds the least or greatest value of a property over the matching rows. Like ``ValueExtreme``,
/// it skips nulls and NaNs and keeps the first of equal values.
struct ExtremeSink: RowSink {
  private(set) var extreme: ValueExtreme
  private let property: StoredProperty
  private let isLeast: Bool

  init(_ property: StoredProperty, _ end: ValueExtreme.End) {
    self.property = property
    isLeast = end == .least
    extreme = ValueExtreme(end, of: property.kind.type)
  }

  mutating func take(
    _ rows: SelectedRows, of layout: RowLayout, _ reader: any TableReader
  ) throws(Failure) -> Bool {
    switch FieldLocation(property, in: layout) {
    case .objectID:
      // The ids are ascending.
      if rows.count > 0 {
        extreme.add(.int(ObjectKey.integer(forObjectID: rows.id(isLeast ? 0 : rows.count - 1))))
      }
    case .constant(let value): if rows.count > 0 { extreme.add(value) }
    case .stored(let field): try take(rows, field, layout, reader)
    }
    return true
  }

  mutating func take(
    _ row: RowReader, id: UInt64, _ reader: any TableReader
  ) throws(Failure) -> Bool {
    extreme.add(try reader.value(of: row, id, property))
    return true
  }

  private mutating func take(
    _ rows: SelectedRows, _ field: RowField, _ layout: RowLayout, _ reader: any TableReader
  ) throws(Failure) {
    let offset = field.offset
    switch field.kind.type {
    case .int64 where field.isStored: addWord(rows, field) { $0.uint64(at: offset) }
    case .int32 where field.isStored: addWord(rows, field) { FieldTest.word32($0, offset) }
    case .int16 where field.isStored: addWord(rows, field) { FieldTest.word16($0, offset) }
    case .int8 where field.isStored: addWord(rows, field) { FieldTest.word8($0, offset) }
    case .double:
      best(rows, field) { Double(bitPattern: $0.uint64(at: offset)) }.map {
        extreme.add(.double($0))
      }
    case .date:
      best(rows, field) { Double(bitPattern: $0.uint64(at: offset)) }
        .map { extreme.add(.date(Date(timeIntervalSinceReferenceDate: $0))) }
    case .float:
      best(rows, field) { Float(bitPattern: $0.uint32(at: offset)) }.map { extreme.add(.float($0)) }
    default:
      for index in 0..<rows.count {
        let row = try RowReader(checked: rows.row(index), layout: layout)
        extreme.add(try reader.value(of: row, rows.id(index), property))
      }
    }
  }

  @inline(__always)
  private mutating func addWord(
    _ rows: SelectedRows, _ field: RowField, _ load: (UnsafeRawPointer) -> UInt64
  ) {
    best(rows, field) { Int64(bitPattern: load($0)) }.map { extreme.add(.int($0)) }
  }

  /// The first of the least or greatest values. NaNs are skipped.
  @inline(__always)
  private func best<T: Comparable>(
    _ rows: SelectedRows, _ field: RowField, _ load: (UnsafeRawPointer) -> T
  ) -> T? {
    let (byte, mask) = (field.nullByte, field.nullMask)
    var best: T?
    for index in 0..<rows.count {
      let row = rows.row(index)
      if mask != 0, row.uint8(at: byte) & mask != 0 { continue }
      let value = load(row)
      // Only NaN differs from itself.
      guard value == value else { continue }
      if let current = best, isLeast ? !(value < current) : !(value > current) { continue }
      best = value
    }
    return best
  }
}
