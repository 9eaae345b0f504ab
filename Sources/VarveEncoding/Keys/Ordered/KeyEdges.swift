import Foundation

/// The position of a constant among the keys of a property's values: which keys are less, equal and
/// greater.
///
/// Both edges are positions before a key. The keys before the lower one have values less than the
/// constant, the keys from the upper one on have greater values, and the keys between them have
/// equal values.
package struct KeyEdges: Hashable, Sendable {
  package let lower: OrderedKey
  package let upper: OrderedKey

  package init(lower: OrderedKey, upper: OrderedKey) {
    self.lower = lower
    self.upper = upper
  }
}

/// The keys of the values that are comparable with a constant, and the position of the constant
/// among them.
///
/// Numbers compare across types, exactly; every other type only with itself. Null and NaN compare
/// with nothing. The edges are exact for every constant except strings and data too long for keys:
/// see ``wholeBytes``.
package struct ComparedKeys: Sendable {
  /// From the first key of a comparable value …
  package let start: OrderedKey
  /// … to before the first key after them; nil: to the end of the table.
  package let end: OrderedKey?
  /// The position of the constant. For a cut constant: around the group of all cut keys with the
  /// same prefix.
  package let edges: KeyEdges
  /// The bytes of a string or data that was cut: the entries between the edges must be compared by
  /// their whole bytes.
  package let wholeBytes: [UInt8]?
  /// For a cut constant: the exact key of its value.
  package let cutKey: OrderedKey?
}

extension OrderedKey {
  /// Returns the keys that begin with this one, followed by a value that is comparable with a
  /// constant.
  ///
  /// - Parameters:
  ///   - constant: The constant to compare with.
  ///   - linkClass: The target class of a link property.
  /// - Returns: nil if no value of such a property is comparable with the constant: another type,
  ///   null or NaN.
  package func comparedKeys(
    with constant: Value, type: PropertyType, linkClass: UInt32, fileKey: FileKey
  ) -> ComparedKeys? {
    switch constant {
    case .string(var text):
      return text.withUTF8 {
        comparedBytes(UnsafeRawBufferPointer($0), of: .string, in: type, fileKey: fileKey)
      }
    case .data(let data):
      return data.withUnsafeBytes { comparedBytes($0, of: .data, in: type, fileKey: fileKey) }
    default: break
    }
    guard let edges = edges(of: constant, type: type, linkClass: linkClass) else { return nil }
    let (start, end) = comparedRange(constant, type: type)
    return ComparedKeys(start: start, end: end, edges: edges, wholeBytes: nil, cutKey: nil)
  }

  /// Returns the keys of the values that equal a constant: those between the edges.
  ///
  /// - Returns: nil if there are none, and for a string and data, which may have no such keys.
  package func edgesOfEqual(
    to constant: Value, type: PropertyType, linkClass: UInt32
  ) -> KeyEdges? {
    switch constant {
    case .string, .data: nil
    default: edges(of: constant, type: type, linkClass: linkClass)
    }
  }

  /// A copy with capacity for a value of a fixed width.
  private var extended: OrderedKey {
    var key = OrderedKey(capacity: count + 20)
    withUnsafeBytes { key.append(raw: $0) }
    return key
  }

  /// Returns the range of this key, followed by the ordered values of one kind: without null and
  /// NaN.
  private func comparedRange(
    _ constant: Value, type: PropertyType
  ) -> (start: OrderedKey, end: OrderedKey?) {
    var start = self
    start.append(byte: type == .mixed ? constant.keyRank : Self.present)
    if type == .mixed, case .link(let classID, _) = constant { start.append(uint32: classID) }
    let end = start.afterAllWithPrefix()
    switch (type, constant) {
    case (.float, _), (.double, _), (.date, _): start.append(uint64: 1)
    case (.decimal128, _): start.append(byte: 1)
    case (.mixed, .date), (.mixed, .int), (.mixed, .float), (.mixed, .double), (.mixed, .decimal):
      start.append(uint64: 1)
    default: break
    }
    return (start, end)
  }

  private func comparedBytes(
    _ bytes: UnsafeRawBufferPointer, of type: PropertyType, in propertyType: PropertyType,
    fileKey: FileKey
  ) -> ComparedKeys? {
    guard propertyType == type || propertyType == .mixed else { return nil }
    let valueStart = count
    var start = self
    start.append(
      byte: propertyType == .mixed
        ? (type == .data ? KeyRank.data : KeyRank.string) : Self.present)
    let end = start.afterAllWithPrefix()
    var key = start
    guard key.appendEscaped(bytes, valueStart: valueStart, fileKey: fileKey),
      let group = key.cutGroupBounds(valueStart: valueStart)
    else {
      return ComparedKeys(
        start: start, end: end, edges: key.edgesOfValue, wholeBytes: nil, cutKey: nil)
    }
    return ComparedKeys(
      start: start, end: end,
      edges: KeyEdges(lower: group.lower, upper: group.upper ?? group.lower),
      wholeBytes: Array(bytes), cutKey: key)
  }

  /// The edges of a key that ends in a whole value part: before the key, and after all keys that
  /// begin with it.
  fileprivate var edgesOfValue: KeyEdges {
    // No value part is all 0xFF, because it begins with a presence or rank byte.
    KeyEdges(lower: self, upper: afterAllWithPrefix() ?? self)
  }
}

// Positions of constants of a fixed width.

extension OrderedKey {
  private func edges(of constant: Value, type: PropertyType, linkClass: UInt32) -> KeyEdges? {
    guard !constant.isNull else { return nil }
    if type == .mixed {
      guard !constant.isNaN else { return nil }
      var key = extended
      // Neither a string nor data: nothing is cut, so no hash is made.
      _ = key.appendMixed(constant, fileKey: FileKey(low: 0, high: 0))
      return key.edgesOfValue
    }
    guard !constant.isNaN else { return nil }
    switch constant {
    case .int, .float, .double, .decimal: return numberEdges(of: constant, type: type)
    case .link(let classID, _): guard type == .link, classID == linkClass else { return nil }
    default: guard constant.type == type else { return nil }
    }
    var key = extended
    return key.appendFixed(constant) ? key.edgesOfValue : nil
  }

  private func numberEdges(of constant: Value, type: PropertyType) -> KeyEdges? {
    switch type {
    case .int8, .int16, .int32, .int64:
      let position = IntegerEdges(constant)
      return KeyEdges(lower: before(position?.lower), upper: before(position?.upper))
    case .float, .double:
      guard let (floor, isExact) = constant.doubleFloor else { return nil }
      var key = extended
      key.append(double: floor)
      let edges = key.edgesOfValue
      return isExact ? edges : KeyEdges(lower: edges.upper, upper: edges.upper)
    case .decimal128: return decimalEdges(of: constant)
    default: return nil
    }
  }

  /// Returns the position before an integer, or after all integers for nil.
  private func before(_ integer: Int64?) -> OrderedKey {
    var key = extended
    guard let integer else {
      key.append(byte: Self.present + 1)
      return key
    }
    key.append(int: integer)
    return key
  }

  private func decimalEdges(of constant: Value) -> KeyEdges? {
    var key = extended
    switch constant {
    case .int(let integer): key.append(decimal: Decimal128Bits(integer))
    case .decimal(let decimal): key.append(decimal: decimal)
    default:
      guard let double = constant.doubleFloor?.floor else { return nil }
      guard double.isFinite, double != 0 else {
        key.append(decimal: double == 0 ? .zero : double < 0 ? .negativeInfinity : .infinity)
        break
      }
      key.append(byte: Self.present)
      // The Double may have more digits than a decimal number: then it equals none.
      ExactDecimal(exactly: double).append(to: &key)
    }
    return key.edgesOfValue
  }
}

extension Value {
  /// The greatest Double that is not above the number, and whether it equals the number; nil for a
  /// value that is not a number.
  var doubleFloor: (floor: Double, isExact: Bool)? {
    switch self {
    case .int(let value):
      let floor = OrderedDouble.floor(value)
      return (floor, Int64(exactly: floor) == value)
    case .float(let value): return (Double(value), true)
    case .double(let value): return (value, true)
    case .decimal(let value):
      let floor = value.floor
      return (floor.double, floor.isExact)
    default: return nil
    }
  }

  /// The rank byte of the value's type in the mixed form.
  package var keyRank: UInt8 {
    switch self {
    case .null: KeyRank.null
    case .bool: KeyRank.bool
    case .int, .float, .double, .decimal: KeyRank.number
    case .string: KeyRank.string
    case .data: KeyRank.data
    case .date: KeyRank.date
    case .objectId: KeyRank.objectId
    case .uuid: KeyRank.uuid
    case .link: KeyRank.link
    case .nested(let kind, _): kind == .dictionary ? KeyRank.dictionary : KeyRank.list
    }
  }
}
