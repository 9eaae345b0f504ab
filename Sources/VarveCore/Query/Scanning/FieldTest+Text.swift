import Foundation
import VarveEncoding

extension FieldTest {
  /// Strings and data: compared byte by byte where they stand.
  mutating func compileText(
    _ predicate: PropertyPredicate, _ type: PropertyType, _ constants: ScanConstants
  ) {
    switch predicate.kind {
    case .compared(.equal, let constant), .compared(.notEqual, let constant):
      if case .compared(.notEqual, _) = predicate.kind { isInverted = true }
      guard let bytes = constant.bytes(as: type) else { return setConstant(isInverted) }
      kind = .textEqual
      setBytes(constants.bytes(bytes))
    case .compared(.beginsWith, let constant): part(.textBegins, constant, type, constants)
    case .compared(.endsWith, let constant): part(.textEnds, constant, type, constants)
    case .compared(.contains, let constant): part(.textContains, constant, type, constants)
    default: order(predicate, type, constants, ordered: .textOrdered, among: .textAmong)
    }
  }

  /// UUIDs and object ids, whose bytes have the order of the values.
  mutating func compileBytes(
    _ predicate: PropertyPredicate, _ type: PropertyType, _ constants: ScanConstants
  ) {
    switch predicate.kind {
    case .compared(.equal, let constant), .compared(.notEqual, let constant):
      if case .compared(.notEqual, _) = predicate.kind { isInverted = true }
      guard let bytes = constant.bytes(as: type) else { return setConstant(isInverted) }
      kind = .bytesOrdered
      least = constants.bytes(bytes)
      greatest = least
    default: order(predicate, type, constants, ordered: .bytesOrdered, among: .bytesAmong)
    }
  }

  private mutating func order(
    _ predicate: PropertyPredicate, _ type: PropertyType, _ constants: ScanConstants, ordered: Kind,
    among: Kind
  ) {
    kind = ordered
    switch predicate.kind {
    case .among(let values):
      kind = among
      strings = constants.sorted(values.compactMap { $0.bytes(as: type) })
    case .between(let lower, let upper):
      guard let lower = lower.bytes(as: type), let upper = upper.bytes(as: type) else {
        return setConstant(false)
      }
      least = constants.bytes(lower)
      greatest = constants.bytes(upper)
    case .compared(let operation, let constant):
      guard let bytes = constant.bytes(as: type) else { return setConstant(false) }
      let bound = constants.bytes(bytes)
      switch operation {
      case .less, .lessOrEqual: greatest = bound
      case .greater, .greaterOrEqual: least = bound
      default: return setConstant(false)
      }
      includesBounds = operation == .lessOrEqual || operation == .greaterOrEqual
    case .text: setConstant(false)
    }
  }

  /// An empty part is in nothing.
  private mutating func part(
    _ kind: Kind, _ constant: Value, _ type: PropertyType, _ constants: ScanConstants
  ) {
    guard let bytes = constant.bytes(as: type), !bytes.isEmpty else { return setConstant(false) }
    self.kind = kind
    setBytes(constants.bytes(bytes))
  }

  private mutating func setBytes(_ bytes: UnsafeRawBufferPointer) {
    least = bytes
    let count = min(8, bytes.count)
    for index in 0..<count { firstWord |= UInt64(bytes[index]) << UInt64(8 * index) }
    firstMask = count == 8 ? .max : 1 << UInt64(8 * count) - 1
  }

  /// Whether the bytes cannot begin with `least`, by what a single load tells.
  @inline(__always)
  private func beginsOtherwise(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= 8, let base = bytes.baseAddress else { return false }
    return base.uint64(at: 0) & firstMask != firstWord
  }

  /// Whether the bytes of a value that is not null begin with `least`, or are the same, as the kind has it.
  @inline(__always)
  func holds(atStartOf bytes: UnsafeRawBufferPointer) -> Bool {
    if beginsOtherwise(bytes) { return isInverted }
    if kind == .textBegins, least.count <= 8, bytes.count >= 8 { return !isInverted }
    return holds(bytes)
  }

  /// Whether the bytes of a value that is not null satisfy the test.
  func holds(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let holds =
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
    return holds != isInverted
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
    var low = 0
    var high = strings.count
    while low < high {
      let middle = (low + high) / 2
      let order = ByteOrder.compare(strings[middle], bytes)
      if order == 0 { return true }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return false
  }
}

extension Value {
  /// The bytes by which a value compares with those of a type; nil for a value of another type.
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
