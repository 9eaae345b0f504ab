import VarveEncoding

/// A range of keys of an index, and how the whole bytes of its entries are compared where all of them are
/// cut.
///
/// Thread safety: an immutable value.
struct IndexSpan: Sendable {
  let lower: OrderedKey
  /// nil: to the end of the table.
  let upper: OrderedKey?
  /// What an entry must satisfy in addition; empty: every key of the span belongs to it.
  let checks: [BytesCheck]

  init(lower: OrderedKey, upper: OrderedKey?, check: BytesCheck? = nil) {
    self.init(lower: lower, upper: upper, checks: check.map { [$0] } ?? [])
  }

  private init(lower: OrderedKey, upper: OrderedKey?, checks: [BytesCheck]) {
    self.lower = lower
    self.upper = upper
    self.checks = checks
  }

  /// Whether the keys alone tell what belongs to the span.
  var isExact: Bool { checks.isEmpty }

  /// What belongs to both spans; nil if no key is in both.
  func intersection(_ other: IndexSpan) -> IndexSpan? {
    let lower = max(lower, other.lower)
    let upper: OrderedKey? =
      if let upper, let second = other.upper { min(upper, second) } else { upper ?? other.upper }
    if let upper, lower >= upper { return nil }
    return IndexSpan(lower: lower, upper: upper, checks: checks + other.checks)
  }

  /// Whether the whole bytes of a cut entry pass all checks.
  func accepts(_ bytes: UnsafeRawBufferPointer) -> Bool {
    checks.allSatisfy { $0.accepts(bytes) }
  }
}

/// What the whole bytes of a cut key's entry must satisfy.
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

  /// Negative, 0 or positive.
  private func order(_ bytes: UnsafeRawBufferPointer, _ other: [UInt8]) -> Int {
    other.withUnsafeBytes { ByteOrder.compare(bytes, $0).signum() }
  }
}
