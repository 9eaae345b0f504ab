import VarveEncoding

/// Compares elements of a list by the database's equality, as `Value` defines it, without creating
/// values.
///
/// Equal elements have equal bytes, with two exceptions. Floating-point numbers: -0.0 equals 0.0,
/// all NaNs are equal, and the decimal 1 equals 1.00. Large strings and data: two blobs may have
/// the same bytes. `ListElementComparison` compares those, because a blob must be read from its
/// version.
struct ListElementForm {
  /// The kinds of numbers that may be equal with different bytes. Decimals never have words.
  enum Floating: UInt8 {
    case float
    case double
    case decimal

    init?(_ type: PropertyType?) {
      switch type {
      case .float: self = .float
      case .double: self = .double
      case .decimal128: self = .decimal
      default: return nil
      }
    }

    var byteCount: Int {
      switch self {
      case .float: 4
      case .double: 8
      case .decimal: Decimal128Bits.byteCount
      }
    }

    /// Returns bits that are equal for equal numbers.
    func canonical(_ bits: UInt64) -> UInt64 {
      switch self {
      case .float:
        let value = Float(bitPattern: UInt32(truncatingIfNeeded: bits))
        if value.isNaN { return UInt64(Float.nan.bitPattern) }
        return value == 0 ? 0 : bits
      case .double:
        let value = Double(bitPattern: bits)
        if value.isNaN { return Double.nan.bitPattern }
        return value == 0 ? 0 : bits
      case .decimal: return bits
      }
    }
  }

  /// Whether `word(_:at:)` can be called: elements have at most 8 bytes and are never null.
  let hasWords: Bool
  private let shape: PackedShape
  private let isPacked: Bool
  private let isNullable: Bool
  private let floating: Floating?

  init(_ format: ListElementFormat) {
    shape = PackedShape(format)
    isPacked = format.isPacked
    isNullable = format.isNullable
    floating = format.isPacked ? Floating(format.type) : nil
    hasWords = format.isPacked && !format.isNullable && format.width <= 8
  }

  /// Returns a word that is equal for equal elements only.
  ///
  /// - Parameters:
  ///   - elements: The address of the first element of a validated leaf.
  ///   - index: An index less than the leaf's count.
  /// - Precondition: `hasWords`.
  @inline(__always)
  func word(_ elements: UnsafeRawPointer, at index: Int) -> UInt64 {
    let bits = shape.bits(elements, at: index) ?? 0
    guard let floating else { return bits }
    return floating.canonical(bits)
  }

  /// Returns the key of an element of any format.
  ///
  /// - Throws: `FormatError` if the element is out of its leaf's bounds.
  /// - Precondition: `index` is in range.
  func key(_ leaf: ListLeaf, at index: Int) throws(FormatError) -> ListElementKey {
    let bytes = try leaf.bytes(at: index)
    if isPacked {
      if isNullable, leaf.isNull(at: index) { return .null }
      return ListElementKey(bytes: bytes, floating: floating)
    }
    if let tag = bytes.first, tag & ElementCodec.blobBit != 0 {
      let element = try ElementReader(validating: bytes)
      return ListElementKey(bytes: bytes, floating: nil, blob: element.blob, type: element.type)
    }
    // The first byte of a number in a list of mixed values is its type.
    let type = bytes.first.flatMap { PropertyType(rawValue: $0) }
    guard let floating = Floating(type), bytes.count == 1 + floating.byteCount else {
      return ListElementKey(bytes: bytes, floating: nil)
    }
    return ListElementKey(bytes: UnsafeRawBufferPointer(rebasing: bytes[1...]), floating: floating)
  }
}

/// An element of a list, for comparing it with others of the same list.
///
/// Thread safety: a value; the bytes belong to a snapshot, which must outlive it.
struct ListElementKey: Hashable {
  /// The element's bytes; nil for null.
  let bytes: UnsafeRawBufferPointer?
  /// The kind of number if the element may be equal to one with different bytes.
  let floating: ListElementForm.Floating?
  /// The blob that contains the element's bytes if they are not inline, and their type.
  let blob: BlobReference?
  let type: PropertyType?

  static var null: ListElementKey { ListElementKey(bytes: nil, floating: nil) }

  init(
    bytes: UnsafeRawBufferPointer?, floating: ListElementForm.Floating?,
    blob: BlobReference? = nil, type: PropertyType? = nil
  ) {
    self.bytes = bytes
    self.floating = floating
    self.blob = blob
    self.type = type
  }

  static func == (a: ListElementKey, b: ListElementKey) -> Bool {
    guard let left = a.bytes, let right = b.bytes else {
      return a.bytes == nil && b.bytes == nil
    }
    guard a.floating == b.floating else { return false }
    guard a.floating != nil, !ByteOrder.areEqual(left, right) else {
      return ByteOrder.areEqual(left, right)
    }
    return a.floating == .decimal ? a.decimal == b.decimal : a.bits == b.bits
  }

  func hash(into hasher: inout Hasher) {
    guard let bytes else { return hasher.combine(false) }
    switch floating {
    case nil: hasher.combine(bytes: bytes)
    case .decimal: hasher.combine(decimal)
    case .float, .double: hasher.combine(bits)
    }
  }

  private var decimal: Decimal128Bits {
    bytes?.baseAddress.map { Decimal128Bits(unchecked: $0) } ?? .zero
  }

  /// The canonical bits of a binary floating-point number.
  private var bits: UInt64 {
    guard let bytes, let floating else { return 0 }
    switch floating {
    case .decimal: return 0
    case .float:
      return floating.canonical(
        UInt64(UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self))))
    case .double:
      return floating.canonical(UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self)))
    }
  }
}
