import Foundation
import VarveEncoding

/// Turns a comparison with a constant of any type into bounds on the 64-bit keys of a field.
///
/// The values of the field rise with their keys, and so a comparison holds from some key on, or up to one. It is
/// found by asking the comparison itself, which knows about fractions, decimals and what lies beyond 2^53:
/// a few questions for a bound beside the constant's own key, else 64.
struct KeySearch: Sendable {
  /// The keys of all values that the field can hold, NaN and null left out.
  let keys: ClosedRange<UInt64>
  /// The value with a key.
  let value: @Sendable (UInt64) -> Value

  /// The keys for whose values a question holds.
  ///
  /// - Returns: The range; for `notEqual` the one outside of which it holds. Nil for none.
  func range(_ operation: Condition.Operation, _ constant: Value) -> ClosedRange<UInt64>? {
    switch operation {
    case .less, .lessOrEqual: upTo(operation, constant)
    case .greater, .greaterOrEqual: from(operation, constant)
    case .equal, .notEqual: between(constant, constant)
    default: nil
    }
  }

  /// The keys of the values from one constant to another, both included.
  func between(_ lower: Value, _ upper: Value) -> ClosedRange<UInt64>? {
    guard let low = from(.greaterOrEqual, lower), let high = upTo(.lessOrEqual, upper),
      low.lowerBound <= high.upperBound
    else { return nil }
    return low.lowerBound...high.upperBound
  }

  private func from(_ operation: Condition.Operation, _ constant: Value) -> ClosedRange<UInt64>? {
    firstKey(near: constant) { value($0).compared(to: constant).satisfies(operation) }
      .map { $0...keys.upperBound }
  }

  private func upTo(_ operation: Condition.Operation, _ constant: Value) -> ClosedRange<UInt64>? {
    func holds(_ key: UInt64) -> Bool { value(key).compared(to: constant).satisfies(operation) }
    guard holds(keys.lowerBound) else { return nil }
    let end = firstKey(near: constant) { !holds($0) }
    return keys.lowerBound...(end.map { $0 - 1 } ?? keys.upperBound)
  }

  /// The least key for which a question holds that holds for all greater ones as well; nil for none.
  private func firstKey(near constant: Value, _ holds: (UInt64) -> Bool) -> UInt64? {
    var low = keys.lowerBound
    var high = keys.upperBound
    guard holds(high) else { return nil }
    for key in nearKeys(constant) where low <= key && key < high {
      if holds(key) { high = key } else { low = key + 1 }
    }
    while low < high {
      let middle = low + (high - low) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return high
  }
}

extension KeySearch {
  /// Where a bound lies that a constant with a key of its own sets; the zeros are two keys.
  private func nearKeys(_ constant: Value) -> Range<UInt64> {
    guard let key = constant.sortBits, key > 1, key < .max - 1 else { return 0..<0 }
    return key - 2..<key + 2
  }

  /// The keys of integers: the numbers, moved to begin at 0.
  static let integers = KeySearch(keys: 0...UInt64.max) { .int(ObjectKey.integer(forObjectID: $0)) }

  /// The keys of objects of a class that links point to.
  static func links(toClass id: UInt32) -> KeySearch {
    KeySearch(keys: 0...UInt64.max) { .link(classID: id, objectID: $0) }
  }

  /// The keys of doubles, see ``OrderedDouble``; those of floats among them.
  static let doubles = KeySearch(keys: numbers) { .double(double($0)) }

  static let dates = KeySearch(keys: numbers) { .date(Date(bits: double($0).bitPattern)) }

  private static let numbers =
    OrderedDouble.bits(-.infinity)...OrderedDouble.bits(.infinity)

  /// The double with a key; −0.0 has one of its own here, below that of 0.
  static func double(_ key: UInt64) -> Double {
    Double(bitPattern: key >> 63 == 1 ? key & ~(1 << 63) : ~key)
  }
}
