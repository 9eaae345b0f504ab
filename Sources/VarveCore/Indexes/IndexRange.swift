import Foundation
package import VarveEncoding

/// The entries of one index whose values satisfy a comparison or are in a range.
///
/// A range contains exactly the objects for which `Value.satisfies` returns true: numbers compare
/// exactly and across types, whatever the type of the property, and null and NaN are not ordered.
/// Strings and data that are too long for keys are compared by the complete bytes in their entries.
/// The condition that a range answers therefore does not have to be evaluated again.
package struct IndexRange: Sendable {
  package let index: PropertyIndex
  /// Disjoint spans, in key order.
  let spans: [IndexSpan]
  /// Whether all entries have the same value, so that they are sorted by object id.
  let hasOneValue: Bool

  init(index: PropertyIndex, spans: [IndexSpan], hasOneValue: Bool = false) {
    self.index = index
    self.spans = spans
    self.hasOneValue = hasOneValue
  }

  /// Whether the range is known to be empty without reading it.
  package var isNothing: Bool { spans.isEmpty }
}

/// A bound of a range.
package enum IndexBound: Sendable {
  case none
  case inclusive(Value)
  case exclusive(Value)

  package var value: Value? {
    switch self {
    case .none: nil
    case .inclusive(let value), .exclusive(let value): value
    }
  }

  package var isInclusive: Bool {
    if case .inclusive = self { true } else { false }
  }
}

/// The bounds of a range of values.
package struct ValueBounds: Sendable {
  package let lower: IndexBound
  package let upper: IndexBound
  /// Whether the bounds use the sort order, in which null and NaN precede all other values, and
  /// values of all types are ordered. If false, no value is within a bound that is null, NaN or
  /// unordered.
  package let inSortOrder: Bool

  package static let none = ValueBounds(.none, .none)

  package init(_ lower: IndexBound, _ upper: IndexBound, inSortOrder: Bool = false) {
    self.lower = lower
    self.upper = upper
    self.inSortOrder = inSortOrder
  }
}

extension IndexRange {
  /// All entries, including null and NaN.
  package static func all(of index: PropertyIndex) -> IndexRange {
    let key = index.prefix
    return IndexRange(
      index: index, spans: [IndexSpan(lower: key, upper: key.afterAllWithPrefix())])
  }

  /// The entries of null.
  package static func null(of index: PropertyIndex) -> IndexRange {
    let (key, end) = index.nulls
    return IndexRange(
      index: index, spans: [IndexSpan(lower: key, upper: end)], hasOneValue: true)
  }

  /// The entries of all values except null, including NaN.
  package static func notNull(of index: PropertyIndex) -> IndexRange {
    IndexRange(
      index: index,
      spans: [IndexSpan(lower: index.nulls.end, upper: index.prefix.afterAllWithPrefix())])
  }

  /// The entries whose value equals a constant. For null, the entries of null. For NaN, none.
  package static func equal(to value: Value, of index: PropertyIndex) -> IndexRange {
    switch value {
    case .null: return null(of: index)
    case .string, .data: break
    default:
      let edges = index.prefix.edgesOfEqual(
        to: value, type: index.kind.type, linkClass: index.linkClass)
      return IndexRange(
        index: index, spans: edges.map { span($0.lower, $0.upper) } ?? [], hasOneValue: true)
    }
    guard let keys = index.comparedKeys(with: value) else { return nothing(of: index) }
    if let bytes = keys.wholeBytes, let key = keys.cutKey {
      return IndexRange(
        index: index,
        spans: [
          IndexSpan(lower: key, upper: key.afterAllWithPrefix(), check: .equal(bytes))
        ], hasOneValue: true)
    }
    return IndexRange(
      index: index, spans: span(keys.edges.lower, keys.edges.upper), hasOneValue: true)
  }

  /// The entries whose values are within bounds, that is, satisfy the order comparison with each
  /// bound. Without bounds, all entries.
  package static func between(_ bounds: ValueBounds, of index: PropertyIndex) -> IndexRange {
    var range = all(of: index)
    if bounds.lower.value != nil { range = half(index, bounds, isAbove: true) }
    if bounds.upper.value != nil {
      let half = half(index, bounds, isAbove: false)
      range = bounds.lower.value == nil ? half : range.intersection(half)
    }
    return range
  }

  /// The entries whose string or data begins with a prefix. None for an empty prefix, as in
  /// `BEGINSWITH`.
  package static func prefix(_ prefix: Value, of index: PropertyIndex) -> IndexRange {
    let bytes: [UInt8]
    let type: PropertyType
    switch prefix {
    case .string(let text): (bytes, type) = (Array(text.utf8), .string)
    case .data(let data): (bytes, type) = (Array(data), .data)
    default: return nothing(of: index)
    }
    let isMixed = index.kind.type == .mixed
    guard !bytes.isEmpty, isMixed || index.kind.type == type else { return nothing(of: index) }
    let bounds = bytes.withUnsafeBytes {
      index.prefix.prefixBounds(bytes: $0, type: type, form: isMixed ? .mixed : .typed)
    }
    return IndexRange(
      index: index,
      spans: [
        IndexSpan(
          lower: bounds.lower, upper: bounds.upper, check: bounds.isExact ? nil : .prefix(bytes))
      ])
  }

  /// The entries whose values are ordered, excluding null and NaN. In a mixed property, only the
  /// numbers.
  package static func ordered(of index: PropertyIndex) -> IndexRange {
    let sample: Value =
      switch index.kind.type {
      case .mixed, .int8, .int16, .int32, .int64, .float, .double, .decimal128: .int(0)
      case .date: .date(.init(timeIntervalSinceReferenceDate: 0))
      default: .null
      }
    guard let keys = index.comparedKeys(with: sample) else { return notNull(of: index) }
    return IndexRange(index: index, spans: [IndexSpan(lower: keys.start, upper: keys.end)])
  }

  /// An empty range.
  package static func nothing(of index: PropertyIndex) -> IndexRange {
    IndexRange(index: index, spans: [])
  }

  /// The entries on one side of a bound.
  private static func half(
    _ index: PropertyIndex, _ bounds: ValueBounds, isAbove: Bool
  ) -> IndexRange {
    let bound = isAbove ? bounds.lower : bounds.upper
    // Null equals null, but is otherwise not ordered.
    if case .inclusive(.null) = bound, !bounds.inSortOrder { return null(of: index) }
    guard let value = bound.value, bounds.inSortOrder || value.hasOrder,
      let keys = index.comparedKeys(with: value)
    else { return nothing(of: index) }
    let edges = keys.edges
    let start = bounds.inSortOrder ? index.prefix : keys.start
    if let bytes = keys.wholeBytes {
      let group = IndexSpan(
        lower: edges.lower, upper: edges.upper,
        check: isAbove ? .above(bytes, bound.isInclusive) : .below(bytes, bound.isInclusive))
      return IndexRange(
        index: index,
        spans: isAbove
          ? [group] + span(edges.upper, keys.end) : span(start, edges.lower) + [group])
    }
    return IndexRange(
      index: index,
      spans: isAbove
        ? span(bound.isInclusive ? edges.lower : edges.upper, keys.end)
        : span(start, bound.isInclusive ? edges.upper : edges.lower))
  }

  private static func span(_ lower: OrderedKey, _ upper: OrderedKey?) -> [IndexSpan] {
    if let upper, lower >= upper { return [] }
    return [IndexSpan(lower: lower, upper: upper)]
  }

  /// The intersection of two ranges of one index.
  package func intersection(_ other: IndexRange) -> IndexRange {
    var result: [IndexSpan] = []
    for span in spans {
      for other in other.spans {
        if let both = span.intersection(other) { result.append(both) }
      }
    }
    return IndexRange(
      index: index, spans: result, hasOneValue: hasOneValue || other.hasOneValue)
  }
}

extension PropertyIndex {
  /// The first key of null, and the first key after all keys of null.
  fileprivate var nulls: (key: OrderedKey, end: OrderedKey) {
    var key = prefix
    _ = key.append(.null, propertyType: kind.type, fileKey: fileKey)
    // The byte of null is not the greatest byte.
    return (key, key.afterAllWithPrefix() ?? key)
  }

  fileprivate func comparedKeys(with value: Value) -> ComparedKeys? {
    prefix.comparedKeys(with: value, type: kind.type, linkClass: linkClass, fileKey: fileKey)
  }
}
