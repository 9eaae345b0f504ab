public import Foundation

extension Value: Hashable {
  /// The database's equality.
  ///
  /// Strings are equal if their UTF-8 bytes are, dates if the bits of their Doubles are. A NaN
  /// equals every other NaN, -0.0 equals 0.0, and the Decimal 1.00 equals 1. Numbers of different
  /// cases are not equal here, though they share one key in a mixed index. A nested collection
  /// equals itself, regardless of its revision.
  package static func == (a: Value, b: Value) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.int(let a), .int(let b)): a == b
    case (.float(let a), .float(let b)): a == b || (a.isNaN && b.isNaN)
    case (.double(let a), .double(let b)): a == b || (a.isNaN && b.isNaN)
    case (.string(let a), .string(let b)): haveEqualBytes(a, b)
    case (.data(let a), .data(let b)): a == b
    case (.date(let a), .date(let b)): a.bits == b.bits
    case (.uuid(let a), .uuid(let b)): a == b
    case (.objectId(let a), .objectId(let b)): a == b
    case (.decimal(let a), .decimal(let b)): a == b
    case (.link(let classA, let a), .link(let classB, let b)): classA == classB && a == b
    case (.nested(let kindA, let a), .nested(let kindB, let b)): kindA == kindB && a.id == b.id
    default: false
    }
  }

  /// Whether two values are equal and are stored as the same bytes. The bytes of equal numbers may
  /// differ: 0.0 and -0.0, decimals with other exponents, two NaNs.
  package func isIdentical(to other: Value) -> Bool {
    switch (self, other) {
    case (.float(let a), .float(let b)): a.bitPattern == b.bitPattern
    case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
    case (.decimal(let a), .decimal(let b)): a.isIdentical(to: b)
    default: self == other
    }
  }

  /// Whether equal values of the type of this one may differ in their bytes: the types that
  /// ``isIdentical(to:)`` compares by their bits.
  package var mayDifferFromEqual: Bool {
    switch self {
    case .float, .double, .decimal: true
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(type)
    switch self {
    case .null: break
    case .bool(let value): hasher.combine(value)
    case .int(let value): hasher.combine(value)
    case .float(let value): hasher.combine(value.isNaN ? .nan : value)
    case .double(let value): hasher.combine(value.isNaN ? .nan : value)
    case .string(var value):
      value.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    case .data(let value): hasher.combine(value)
    case .date(let value): hasher.combine(value.bits)
    case .uuid(let value): hasher.combine(value)
    case .objectId(let value): hasher.combine(value)
    case .decimal(let value): hasher.combine(value)
    case .link(let classID, let objectID):
      hasher.combine(classID)
      hasher.combine(objectID)
    case .nested(let kind, let slot):
      hasher.combine(kind)
      hasher.combine(slot.id)
    }
  }

  /// Swift's `==` would compare canonically equivalent strings as equal.
  private static func haveEqualBytes(_ a: String, _ b: String) -> Bool {
    var a = a
    var b = b
    return a.withUTF8 { a in
      b.withUTF8 { b in ByteOrder.areEqual(UnsafeRawBufferPointer(a), UnsafeRawBufferPointer(b)) }
    }
  }
}

extension Value {
  /// Whether the number or the date is NaN, which has no order.
  package var isNaN: Bool {
    switch self {
    case .double(let value): value.isNaN
    case .float(let value): value.isNaN
    case .decimal(let value): value.isNaN
    case .date(let value): value.timeIntervalSinceReferenceDate.isNaN
    default: false
    }
  }
}

extension Date {
  /// The bits of the Double that represents the date: seconds since its reference date.
  @inlinable
  package var bits: UInt64 { timeIntervalSinceReferenceDate.bitPattern }

  /// Creates the date with these bits.
  @inlinable
  package init(bits: UInt64) {
    self.init(timeIntervalSinceReferenceDate: Double(bitPattern: bits))
  }
}
