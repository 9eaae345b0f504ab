/// A set of scalars: a character class, an escape such as `\d`, a general category, or `.`.
struct PatternSet: Sendable {
  enum Item: Sendable {
    case range(ClosedRange<UInt32>)
    /// A mask of ``GeneralCategories``.
    case categories(UInt32)
    case digit(isNegated: Bool)
    case space(isNegated: Bool)
    case word(isNegated: Bool)
  }

  private let ranges: [ClosedRange<UInt32>]
  private let others: [Item]
  private let isNegated: Bool
  /// The membership of the ASCII scalars, after negation.
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  /// Creates a set of items. With a folding, the set also contains the folded forms of its members,
  /// except forms of several scalars: the parser handles `[ß]`, and `[à-ÿ]` does not contain `ss`.
  ///
  /// - Complexity: O(`items`), plus O(``TextFolding/changes``) with a folding and items that are
  ///   not ASCII.
  init(_ items: [Item], isNegated: Bool = false, folding: TextFolding = .exact) {
    var ranges: [ClosedRange<UInt32>] = []
    var others: [Item] = []
    for item in items {
      if case .range(let range) = item { ranges.append(range) } else { others.append(item) }
    }
    self.ranges = Self.merged(ranges + Self.folded(Self.merged(ranges), others, folding))
    self.others = others
    self.isNegated = isNegated
    for value in UInt32(0)..<64 where includes(value) != isNegated { low |= 1 << UInt64(value) }
    for value in UInt32(64)..<128 where includes(value) != isNegated {
      high |= 1 << UInt64(value - 64)
    }
  }

  /// The folded forms of members that differ from them. Digits, spaces and word characters fold to
  /// scalars of the same kind, so only ranges and categories have such forms.
  private static func folded(
    _ ranges: [ClosedRange<UInt32>], _ others: [Item], _ folding: TextFolding
  ) -> [ClosedRange<UInt32>] {
    var categories: UInt32 = 0
    for case .categories(let mask) in others { categories |= mask }
    var folded: [ClosedRange<UInt32>] = []
    if folding.contains(.caseless), let first = ranges.first, first.lowerBound < 0x80 {
      for value in UInt32(0x41)...0x5A where contains(value, ranges) {
        folded.append(value + 32...value + 32)
      }
    }
    guard categories != 0 || ranges.last.map({ $0.upperBound >= 0x80 }) == true else {
      return folded
    }
    for change in folding.changes
    where contains(change.scalar, ranges) || GeneralCategories.contains(change.scalar, categories) {
      folded.append(change.folded...change.folded)
    }
    return folded
  }

  private static func merged(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
    var merged: [ClosedRange<UInt32>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = merged.last, range.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    return merged
  }

  /// - Complexity: O(1) for ASCII, otherwise O(log ranges) and O(other items).
  @inline(__always)
  func contains(_ value: UInt32) -> Bool {
    if value < 64 { return low >> UInt64(value) & 1 != 0 }
    if value < 128 { return high >> UInt64(value - 64) & 1 != 0 }
    return includes(value) != isNegated
  }

  private func includes(_ value: UInt32) -> Bool {
    if Self.contains(value, ranges) { return true }
    for item in others where Self.contains(value, item) { return true }
    return false
  }

  private static func contains(_ value: UInt32, _ ranges: [ClosedRange<UInt32>]) -> Bool {
    let index = ranges.countAscending { $0.upperBound < value }
    return index < ranges.count && ranges[index].lowerBound <= value
  }

  private static func contains(_ value: UInt32, _ item: Item) -> Bool {
    switch item {
    case .range(let range): range.contains(value)
    case .categories(let mask): GeneralCategories.contains(value, mask)
    case .digit(let isNegated):
      GeneralCategories.contains(value, GeneralCategories.digit) != isNegated
    case .space(let isNegated): isSpace(value) != isNegated
    case .word(let isNegated): isWord(value) != isNegated
    }
  }

  /// `[\t\n\f\r\p{Z}]`
  private static func isSpace(_ value: UInt32) -> Bool {
    switch value {
    case 9, 10, 12, 13: true
    default: GeneralCategories.contains(value, GeneralCategories.separators)
    }
  }

  /// `[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\u200C\u200D]`
  private static func isWord(_ value: UInt32) -> Bool {
    if value == 0x200C || value == 0x200D { return true }
    if GeneralCategories.contains(value, GeneralCategories.wordParts) { return true }
    return Unicode.Scalar(value)?.properties.isAlphabetic ?? false
  }
}
