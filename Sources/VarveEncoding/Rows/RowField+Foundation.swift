public import Foundation

extension RowField {
  /// - Precondition: `row` is a row of this field's layout; likewise below.
  @inlinable
  package func date(in row: UnsafeRawPointer) -> Date {
    Date(bits: row.uint64(at: offset))
  }

  @inlinable
  package func uuid(in row: UnsafeRawPointer) -> UUID {
    UUID(uuid: row.loadUnaligned(fromByteOffset: offset, as: uuid_t.self))
  }
}
