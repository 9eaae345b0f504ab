/// A range that queries know.
public protocol _QueryRange<Bound> {
  /// The type of the bounds.
  associatedtype Bound
  /// The least value; nil for none.
  var _$lowerBound: Bound? { get }
  /// The greatest value; nil for none.
  var _$upperBound: Bound? { get }
  /// Whether the greatest value is in the range.
  var _$includesUpperBound: Bool { get }
}

extension ClosedRange: _QueryRange {
  /// The least value.
  public var _$lowerBound: Bound? { lowerBound }
  /// The greatest value.
  public var _$upperBound: Bound? { upperBound }
  /// Whether the greatest value is in the range.
  public var _$includesUpperBound: Bool { true }
}

extension Range: _QueryRange {
  /// The least value.
  public var _$lowerBound: Bound? { lowerBound }
  /// What all values are less than.
  public var _$upperBound: Bound? { upperBound }
  /// Whether the greatest value is in the range.
  public var _$includesUpperBound: Bool { false }
}

extension PartialRangeFrom: _QueryRange {
  /// The least value.
  public var _$lowerBound: Bound? { lowerBound }
  /// None.
  public var _$upperBound: Bound? { nil }
  /// Whether the greatest value is in the range.
  public var _$includesUpperBound: Bool { false }
}

extension PartialRangeUpTo: _QueryRange {
  /// None.
  public var _$lowerBound: Bound? { nil }
  /// What all values are less than.
  public var _$upperBound: Bound? { upperBound }
  /// Whether the greatest value is in the range.
  public var _$includesUpperBound: Bool { false }
}

extension PartialRangeThrough: _QueryRange {
  /// None.
  public var _$lowerBound: Bound? { nil }
  /// The greatest value.
  public var _$upperBound: Bound? { upperBound }
  /// Whether the greatest value is in the range.
  public var _$includesUpperBound: Bool { true }
}
