/// One table of the store: a B+tree with a name, or the unnamed one that contains the others.
///
/// Tables are identified by a small number, so that a lookup is an array access. The numbers are
/// not stored in the file; the names are.
///
/// Thread safety: a value. Processes: the same names mean the same tables in all of them.
@usableFromInline
package struct Table: Hashable, Sendable {
  @usableFromInline package let index: UInt32

  @inlinable
  package init(index: UInt32) {
    self.index = index
  }

  /// The unnamed table: the root record, and a record for each other table.
  @inlinable package static var main: Table { Table(index: 0) }
  @inlinable package static var catalog: Table { Table(index: 1) }
  @inlinable package static var indexes: Table { Table(index: 2) }
  @inlinable package static var collections: Table { Table(index: 3) }
  @inlinable package static var lists: Table { Table(index: 4) }
  @inlinable package static var dictionaries: Table { Table(index: 5) }
  @inlinable package static var sets: Table { Table(index: 6) }
  @inlinable package static var backlinks: Table { Table(index: 7) }
  @inlinable package static var blobs: Table { Table(index: 8) }

  /// The index of the first object table; the indexes before it are reserved.
  @usableFromInline package static let firstClassIndex: UInt32 = 16

  /// The greatest class id that has a table.
  package static let maximumClassID = UInt32.max - firstClassIndex

  /// The rows of one class, by object id.
  ///
  /// - Precondition: `id <= Table.maximumClassID`.
  @inlinable
  package static func objects(ofClass id: UInt32) -> Table {
    Table(index: id + 16)
  }

  /// Whether the keys are 8-byte integers in native order (`MDB_INTEGERKEY`); otherwise they are
  /// bytes.
  @inlinable package var hasIntegerKeys: Bool { index >= 16 }

  /// Whether ranges of the table are counted and walked: rows, indexes, and the entries of
  /// dictionaries.
  var isReadInRanges: Bool {
    hasIntegerKeys || self == .indexes || self == .dictionaries
  }

  /// The class whose rows the table contains, if it contains rows.
  @inlinable package var classID: UInt32? { index >= 16 ? index - 16 : nil }

  /// The tables that every store has from its creation on, other than the unnamed one.
  package static let fixed: [Table] = (1...8).map { Table(index: $0) }

  private static let fixedNames: [StaticString] = [
    "", "catalog", "indexes", "collections", "lists", "dictionaries", "sets", "backlinks", "blobs",
  ]

  /// Calls `body` with the stored name: bytes without a terminator.
  ///
  /// - Throws: Any error thrown by `body`.
  package func withName<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if index < UInt32(Self.fixedNames.count) {
      let name = Self.fixedNames[Int(index)]
      return try body(UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }
    // "c:" and up to ten digits, written from the end.
    var digits: InlineArray<16, UInt8> = .init(repeating: 0)
    var start = 16
    var rest = index - Self.firstClassIndex
    repeat {
      start -= 1
      digits[start] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    } while rest > 0
    digits[start - 1] = UInt8(ascii: ":")
    digits[start - 2] = UInt8(ascii: "c")
    start -= 2
    // The array is a local copy on the stack, which outlives the call of `body`.
    return try withUnsafePointer(to: &digits) { (pointer) throws(Failure) -> Result in
      let bytes = UnsafeRawPointer(pointer)
      return try body(UnsafeRawBufferPointer(start: bytes + start, count: 16 - start))
    }
  }

  /// The name as text.
  package var name: String {
    withName { String(decoding: $0, as: UTF8.self) }
  }

  /// The table with a name, or nil when no table has this name.
  package init?(name: UnsafeRawBufferPointer) {
    for index in 1..<UInt32(Self.fixedNames.count) {
      let fixed = Self.fixedNames[Int(index)]
      let bytes = UnsafeRawBufferPointer(start: fixed.utf8Start, count: fixed.utf8CodeUnitCount)
      if bytes.elementsEqual(name) {
        self.init(index: index)
        return
      }
    }
    guard name.count > 2, name.count <= 12, name[0] == UInt8(ascii: "c"),
      name[1] == UInt8(ascii: ":"), name.count == 3 || name[2] != UInt8(ascii: "0")
    else { return nil }
    var id: UInt64 = 0
    for byte in name[2...] {
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
      id = id * 10 + UInt64(byte - UInt8(ascii: "0"))
    }
    guard id <= UInt64(Self.maximumClassID) else { return nil }
    self.init(index: UInt32(id) + Self.firstClassIndex)
  }
}
