import VarveEncoding

/// A range of keys of an index, with checks of the complete bytes if all its keys are truncated.
struct IndexSpan: Sendable {
  let lower: OrderedKey
  /// The exclusive upper bound. Nil for the end of the table.
  let upper: OrderedKey?
  /// The additional checks of an entry. If empty, the span contains every key in its range.
  let checks: [BytesCheck]

  init(lower: OrderedKey, upper: OrderedKey?, check: BytesCheck? = nil) {
    self.init(lower: lower, upper: upper, checks: check.map { [$0] } ?? [])
  }

  private init(lower: OrderedKey, upper: OrderedKey?, checks: [BytesCheck]) {
    self.lower = lower
    self.upper = upper
    self.checks = checks
  }

  /// Whether the keys alone determine the contents of the span.
  var isExact: Bool { checks.isEmpty }

  /// The intersection of two spans, or nil if it is empty.
  func intersection(_ other: IndexSpan) -> IndexSpan? {
    let lower = max(lower, other.lower)
    let upper: OrderedKey? =
      if let upper, let second = other.upper { min(upper, second) } else { upper ?? other.upper }
    if let upper, lower >= upper { return nil }
    return IndexSpan(lower: lower, upper: upper, checks: checks + other.checks)
  }

  /// Whether the complete bytes of an entry with a truncated key pass all checks.
  func accepts(_ bytes: UnsafeRawBufferPointer) -> Bool {
    checks.allSatisfy { $0.accepts(bytes) }
  }
}

/// A check of the complete bytes of an entry with a truncated key.
enum BytesCheck: Sendable {
  case equal([UInt8])
  case prefix([UInt8])
  case above([UInt8], Bool)
  case below([UInt8], Bool)

  func accepts(_ bytes: UnsafeRawBufferPointer) -> Bool {
    switch self {
    case .equal(let other): order(bytes, other) == 0
    case .prefix(let prefix):
      bytes.count >= prefix.count
        && order(UnsafeRawBufferPointer(rebasing: bytes[..<prefix.count]), prefix) == 0
    case .above(let other, let isInclusive): order(bytes, other) > (isInclusive ? -1 : 0)
    case .below(let other, let isInclusive): order(bytes, other) < (isInclusive ? 1 : 0)
    }
  }

  /// The order as a negative number, 0 or a positive number.
  private func order(_ bytes: UnsafeRawBufferPointer, _ other: [UInt8]) -> Int {
    other.withUnsafeBytes { ByteOrder.compare(bytes, $0).signum() }
  }
}
