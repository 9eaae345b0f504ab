import Foundation
import VarveEncoding

extension FieldTest {
  /// Compiles a predicate on strings, data, UUIDs or object ids, which are compared byte by byte in
  /// the row.
  mutating func compileBytes(
    _ predicate: PropertyPredicate, _ type: PropertyType, _ constants: ScanConstants
  ) {
    let isText = type == .string || type == .data
    kind = isText ? .textOrdered : .bytesOrdered
    switch predicate.kind {
    case .among(let values):
      kind = isText ? .textAmong : .bytesAmong
      strings = constants.sorted(values.compactMap { $0.bytes(as: type) })
    case .between(let lower, let upper):
      guard let lower = lower.bytes(as: type), let upper = upper.bytes(as: type) else {
        return setConstant(false)
      }
      least = constants.bytes(lower)
      greatest = constants.bytes(upper)
    case .compared(let operation, let constant):
      isInverted = operation == .notEqual
      guard let bytes = constant.bytes(as: type) else { return setConstant(isInverted) }
      compare(operation, with: constants.bytes(bytes), isText: isText)
    case .text: setConstant(false)
    }
  }

  private mutating func compare(
    _ operation: Condition.Operation, with bytes: UnsafeRawBufferPointer, isText: Bool
  ) {
    switch operation {
    case .less, .lessOrEqual: greatest = bytes
    case .greater, .greaterOrEqual: least = bytes
    case .equal where !isText, .notEqual where !isText: (least, greatest) = (bytes, bytes)
    case .equal, .notEqual: setBytes(bytes, .textEqual)
    // An empty string is not a prefix, suffix or substring of any string.
    case .beginsWith where isText && !bytes.isEmpty: setBytes(bytes, .textBegins)
    case .endsWith where isText && !bytes.isEmpty: setBytes(bytes, .textEnds)
    case .contains where isText && !bytes.isEmpty: setBytes(bytes, .textContains)
    default: return setConstant(false)
    }
    includesBounds = operation != .less && operation != .greater
  }

  private mutating func setBytes(_ bytes: UnsafeRawBufferPointer, _ kind: Kind) {
    self.kind = kind
    least = bytes
    let count = min(8, bytes.count)
    for index in 0..<count { firstWord |= UInt64(bytes[index]) << UInt64(8 * index) }
    firstMask = count == 8 ? .max : 1 << UInt64(8 * count) - 1
  }

  /// Whether a single load shows that the bytes do not begin with `least`.
  @inline(__always)
  private func beginsOtherwise(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= 8, let base = bytes.baseAddress else { return false }
    return base.uint64(at: 0) & firstMask != firstWord
  }

  /// Whether the bytes of a value that is not null begin with `least` or equal it, depending on the
  /// kind.
  @inline(__always)
  func matches(atStartOf bytes: UnsafeRawBufferPointer) -> Bool {
    if beginsOtherwise(bytes) { return isInverted }
    if kind == .textBegins, least.count <= 8, bytes.count >= 8 { return !isInverted }
    return matches(bytes)
  }

  /// Whether the bytes of a value that is not null satisfy the test.
  func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let matches =
      switch kind {
      case .textEqual: ByteOrder.areEqual(bytes, least)
      case .textBegins: ByteOrder.hasPrefix(bytes, least)
      case .textEnds:
        bytes.count >= least.count
          && ByteOrder.areEqual(UnsafeRawBufferPointer(rebasing: bytes.suffix(least.count)), least)
      case .textContains: ByteOrder.contains(bytes, least)
      case .textAmong, .bytesAmong: isAmongStrings(bytes)
      case .textOrdered, .bytesOrdered: isOrdered(bytes)
      default: false
      }
    return matches != isInverted
  }

  private func isOrdered(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if least.baseAddress != nil {
      let order = ByteOrder.compare(bytes, least)
      if includesBounds ? order < 0 : order <= 0 { return false }
    }
    if greatest.baseAddress != nil {
      let order = ByteOrder.compare(bytes, greatest)
      if includesBounds ? order > 0 : order >= 0 { return false }
    }
    return true
  }

  private func isAmongStrings(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let index = strings.countAscending { ByteOrder.compare($0, bytes) < 0 }
    return index < strings.count && ByteOrder.areEqual(strings[index], bytes)
  }
}

extension Value {
  /// The bytes of a value that are compared with the bytes of a stored type, or nil for a value of
  /// another type.
  fileprivate func bytes(as type: PropertyType) -> [UInt8]? {
    switch (self, type) {
    case (.string(let value), .string): Array(value.utf8)
    case (.data(let value), .data): Array(value)
    case (.uuid(let value), .uuid): withUnsafeBytes(of: value.uuid) { Array($0) }
    case (.objectId(let value), .objectId): value.bytes
    default: nil
    }
  }
}
