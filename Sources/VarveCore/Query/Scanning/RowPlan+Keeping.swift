import VarveEncoding
import VarveStorage

extension RowPlan {
  /// Keeps the rows that satisfy a test. Each kind of test has its own loop, without branching on
  /// the kind.
  func keep<F: RowFeed>(
    _ part: Part, of feed: inout F, _ reader: any TableReader
  ) throws(Failure) -> Bool {
    let test = part.test.pointee
    let offset = test.offset
    switch test.kind {
    case .never: return feed.keep { _ in false }
    case .always: return feed.keep { _ in true }
    case .id: return words(test, &feed) { SelectedRows.id(ofRow: $0) }
    case .word64: return words(test, &feed) { $0.uint64(at: offset) }
    case .word32: return words(test, &feed) { FieldTest.word32($0, offset) }
    case .word16: return words(test, &feed) { FieldTest.word16($0, offset) }
    case .word8: return words(test, &feed) { FieldTest.word8($0, offset) }
    case .double:
      return doubles(test, &feed) { Double(bitPattern: $0.uint64(at: offset)) }
    case .float:
      return doubles(test, &feed) { Double(Float(bitPattern: $0.uint32(at: offset))) }
    case .bool:
      let (ifTrue, ifFalse) = (test.ifTrue, test.ifFalse)
      return fixed(test, &feed) { $0.uint8(at: offset) != 0 ? ifTrue : ifFalse }
    case .idAmong, .wordAmong, .doubleAmong, .textEqual, .textOrdered, .textBegins, .textEnds,
      .textContains, .textAmong, .bytesOrdered, .bytesAmong, .value:
      let (test, step) = (part.test, part.step)
      return try feed.keep { (row) throws(Failure) in
        try matches(test, step, row, SelectedRows.id(ofRow: row), reader)
      }
    }
  }

  @inline(__always)
  private func words<F: RowFeed>(
    _ test: FieldTest, _ feed: inout F, _ load: (UnsafeRawPointer) -> UInt64
  ) -> Bool {
    let (bias, span, isInverted) = (test.bias, test.span, test.isInverted)
    return fixed(test, &feed) { (load($0) &+ bias <= span) != isInverted }
  }

  @inline(__always)
  private func doubles<F: RowFeed>(
    _ test: FieldTest, _ feed: inout F, _ load: (UnsafeRawPointer) -> Double
  ) -> Bool {
    let (lower, upper, isInverted) = (test.lower, test.upper, test.isInverted)
    return fixed(test, &feed) {
      let double = load($0)
      return (double >= lower && double <= upper) != isInverted
    }
  }

  /// Keeps rows by a value of fixed width, or by null.
  @inline(__always)
  private func fixed<F: RowFeed>(
    _ test: FieldTest, _ feed: inout F, _ matches: (UnsafeRawPointer) -> Bool
  ) -> Bool {
    let (byte, mask, ifNull) = (test.nullByte, test.nullMask, test.ifNull)
    if mask == 0 { return feed.keep { matches($0) } }
    return feed.keep { $0.uint8(at: byte) & mask != 0 ? ifNull : matches($0) }
  }

  /// Whether one row satisfies a test.
  ///
  /// - Parameters:
  ///   - test: The test of a step, or its negation.
  ///   - step: The index of the step.
  ///   - row: The first byte of a validated row of the layout.
  ///   - reader: The reader that the row belongs to.
  /// - Throws: `.corrupted` if the row is damaged.
  @inline(__always)
  func matches(
    _ test: UnsafePointer<FieldTest>, _ step: Int, _ row: UnsafeRawPointer, _ id: UInt64,
    _ reader: any TableReader
  ) throws(Failure) -> Bool {
    if row.uint8(at: test.pointee.nullByte) & test.pointee.nullMask != 0 {
      return test.pointee.ifNull
    }
    let offset = test.pointee.offset
    switch test.pointee.kind {
    case .never: return false
    case .always: return true
    case .id: return test.pointee.matches(word: id)
    case .word64: return test.pointee.matches(word: row.uint64(at: offset))
    case .word32: return test.pointee.matches(word: FieldTest.word32(row, offset))
    case .word16: return test.pointee.matches(word: FieldTest.word16(row, offset))
    case .word8: return test.pointee.matches(word: FieldTest.word8(row, offset))
    case .double: return test.pointee.matches(double: Double(bitPattern: row.uint64(at: offset)))
    case .float:
      return test.pointee.matches(double: Double(Float(bitPattern: row.uint32(at: offset))))
    case .bool: return row.uint8(at: offset) != 0 ? test.pointee.ifTrue : test.pointee.ifFalse
    case .idAmong: return test.pointee.keys.containsAscending(id) != test.pointee.isInverted
    case .wordAmong:
      let word = UInt64(bitPattern: row.int64(at: offset, width: test.pointee.width))
      return test.pointee.keys.containsAscending(word ^ test.pointee.flip)
        != test.pointee.isInverted
    case .doubleAmong:
      let double =
        test.pointee.width == 4
        ? Double(Float(bitPattern: row.uint32(at: offset)))
        : Double(bitPattern: row.uint64(at: offset))
      return test.pointee.keys.containsAscending(OrderedDouble.bits(double))
        != test.pointee.isInverted
    case .bytesOrdered, .bytesAmong:
      return test.pointee.matches(
        UnsafeRawBufferPointer(start: row + offset, count: test.pointee.width))
    case .textEqual, .textBegins:
      if let bytes = inlineBytes(row, offset) { return test.pointee.matches(atStartOf: bytes) }
      return try valueMatches(test, step, row, id, reader)
    case .textOrdered, .textEnds, .textContains, .textAmong:
      if let bytes = inlineBytes(row, offset) { return test.pointee.matches(bytes) }
      return try valueMatches(test, step, row, id, reader)
    case .value: return try valueMatches(test, step, row, id, reader)
    }
  }

  /// The bytes of an inline string or data value. Nil if the value is not inline, or if it is
  /// damaged.
  @inline(__always)
  private func inlineBytes(_ row: UnsafeRawPointer, _ slot: Int) -> UnsafeRawBufferPointer? {
    let offset = Int(row.uint32(at: slot))
    let count = Int(row.uint32(at: slot + 4))
    if count == 0, offset == 0 { return UnsafeRawBufferPointer(start: nil, count: 0) }
    let end = RowHeader.length(row) - Row.touchBytes * RowHeader.touchCount(row)
    // The offset that marks a blob is greater than any offset in a row.
    guard offset >= layout.fixedEnd, count <= end - offset else { return nil }
    return UnsafeRawBufferPointer(start: row + offset, count: count)
  }
}

extension FieldTest {
  @inline(__always)
  static func word32(_ row: UnsafeRawPointer, _ offset: Int) -> UInt64 {
    UInt64(bitPattern: Int64(Int32(bitPattern: row.uint32(at: offset))))
  }

  @inline(__always)
  static func word16(_ row: UnsafeRawPointer, _ offset: Int) -> UInt64 {
    UInt64(bitPattern: Int64(Int16(bitPattern: row.uint16(at: offset))))
  }

  @inline(__always)
  static func word8(_ row: UnsafeRawPointer, _ offset: Int) -> UInt64 {
    UInt64(bitPattern: Int64(Int8(bitPattern: row.uint8(at: offset))))
  }

  @inline(__always)
  func matches(word: UInt64) -> Bool { (word &+ bias <= span) != isInverted }

  @inline(__always)
  func matches(double: Double) -> Bool { (double >= lower && double <= upper) != isInverted }
}
