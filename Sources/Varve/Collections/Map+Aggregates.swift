import VarveCore
import VarveEncoding

extension Map where Value: MinMaxType {
  /// The least value; nil when there is none. Nulls and NaNs are left out.
  ///
  /// - Complexity: O(n).
  public func min() -> Value? { extreme(.least) }

  /// The greatest value; nil when there is none. Nulls and NaNs are left out.
  ///
  /// - Complexity: O(n).
  public func max() -> Value? { extreme(.greatest) }

  private func extreme(_ end: ValueExtreme.End) -> Value? {
    var extreme = ValueExtreme(end)
    for value in values { extreme.add(value._$boxed.value ?? .null) }
    return extreme.value.flatMap { Value._$unboxed(_Boxed($0), source) }
  }
}

extension Map where Value: _DecimalType {
  /// The mean of the values, rounded to 34 digits; nil when there is none. Nulls are left out.
  ///
  /// - Complexity: O(n).
  public func average() -> Decimal128? { total.typedAverage }
}

extension Map where Value: AddableType {
  /// The sum of the values; 0 when there is none. Nulls are left out; integers wrap around.
  ///
  /// - Complexity: O(n).
  public func sum() -> Value { total.typed() }

  /// The mean of the values; nil when there is none. Nulls are left out.
  ///
  /// - Complexity: O(n).
  public func average() -> Double? { total.average }

  fileprivate var total: ValueSum {
    var sum = ValueSum()
    for value in values { sum.add(value._$boxed.value ?? .null) }
    return sum
  }
}
