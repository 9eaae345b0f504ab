/// A range that queries accept.
public protocol _QueryRange<Bound> {
  /// The type of the bounds.
  associatedtype Bound
  /// The lower bound; nil for none.
  var _$lowerBound: Bound? { get }
  /// The upper bound; nil for none.
  var _$upperBound: Bound? { get }
  /// Whether the upper bound is in the range.
  var _$includesUpperBound: Bool { get }
}

extension ClosedRange: _QueryRange {
  /// The lower bound.
  public var _$lowerBound: Bound? { lowerBound }
  /// The upper bound.
  public var _$upperBound: Bound? { upperBound }
  /// Whether the upper bound is in the range: true.
  public var _$includesUpperBound: Bool { true }
}

extension Range: _QueryRange {
  /// The lower bound.
  public var _$lowerBound: Bound? { lowerBound }
  /// The upper bound, which is not in the range.
  public var _$upperBound: Bound? { upperBound }
  /// Whether the upper bound is in the range: false.
  public var _$includesUpperBound: Bool { false }
}

extension PartialRangeFrom: _QueryRange {
  /// The lower bound.
  public var _$lowerBound: Bound? { lowerBound }
  /// The upper bound: nil.
  public var _$upperBound: Bound? { nil }
  /// Whether the upper bound is in the range: false.
  public var _$includesUpperBound: Bool { false }
}

extension PartialRangeUpTo: _QueryRange {
  /// The lower bound: nil.
  public var _$lowerBound: Bound? { nil }
  /// The upper bound, which is not in the range.
  public var _$upperBound: Bound? { upperBound }
  /// Whether the upper bound is in the range: false.
  public var _$includesUpperBound: Bool { false }
}

extension PartialRangeThrough: _QueryRange {
  /// The lower bound: nil.
  public var _$lowerBound: Bound? { nil }
  /// The upper bound.
  public var _$upperBound: Bound? { upperBound }
  /// Whether the upper bound is in the range: true.
  public var _$includesUpperBound: Bool { true }
}
