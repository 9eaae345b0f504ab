import Foundation
import VarveCore
package import VarveEncoding

/// A decimal number of up to 34 digits: an IEEE 754-2008 decimal128.
///
/// ```swift
/// let price: Decimal128 = "19.90"
/// let total = price * 3  // 59.70
/// ```
///
/// Sums, differences, products and quotients are the exact result, rounded once to 34 digits, ties
/// to even. Arithmetic never traps: division by zero gives an infinity, 0 / 0 gives ``nan``, and a
/// result that is out of range is an infinity.
///
/// Equality ignores trailing zeros: 1 == 1.00, and their hashes are equal. A number nevertheless
/// keeps its trailing zeros, also in a realm: `1.00` reads back as `1.00`. Writing an *equal* value
/// to an element of a list or a map changes nothing, not even the trailing zeros.
///
/// ``nan`` is equal to itself and less than all numbers, which makes the order total. In queries it
/// behaves like the NaN of a `Double`: it is neither less than, greater than nor equal to any
/// number, including itself.
public struct Decimal128: Sendable {
  package let bits: Decimal128Bits

  package init(_ bits: Decimal128Bits) { self.bits = bits }

  /// Creates zero.
  public init() { self.init(.zero) }

  /// Parses a number such as `12`, `-0.50` or `1.5E-7`, or `NaN`, `Inf` or `Infinity`. Case is
  /// ignored.
  ///
  /// More than 34 digits are rounded, ties to even. A number that is out of range becomes an
  /// infinity.
  ///
  /// - Parameter string: The text, without spaces.
  /// - Throws: `Realm.Error` with the code `.invalidInput` when the text is not a number.
  public init(string: String) throws {
    guard let bits = Decimal128Bits(string) else {
      throw Realm.Error(.invalidInput, "A Decimal128 requires a number.", value: string)
    }
    self.init(bits)
  }

  /// Converts a number of any type, or parses a string. See ``init(string:)``.
  ///
  /// - Parameter value: An integer, Float, Double, Decimal, Decimal128, NSNumber or String.
  /// - Throws: `Realm.Error` with the code `.invalidInput` for any other value.
  public init(value: Any) throws {
    guard case .decimal(let bits) = Value.converting(Value.unwrapped(value), to: .decimal128) else {
      throw Realm.Error(.invalidInput, "A Decimal128 requires a number.", value: "\(value)")
    }
    self.init(bits)
  }

  /// Not a number.
  public static let nan = Decimal128(Decimal128Bits.nan)
  /// Positive infinity, which is greater than all numbers.
  public static let infinity = Decimal128(Decimal128Bits.infinity)
  /// The greatest finite number: 34 nines followed by 6111 zeros.
  public static let greatestFiniteMagnitude = Decimal128(.greatestFinite)
  /// The greatest finite number.
  public static var max: Decimal128 { greatestFiniteMagnitude }
  /// The least finite number.
  public static var min: Decimal128 { -greatestFiniteMagnitude }

  /// Whether the value is not a number, such as the result of 0 / 0.
  public var isNaN: Bool { bits.isNaN }
  /// Whether the value is a number and not an infinity.
  public var isFinite: Bool { bits.isFinite }
  /// Whether the value is an infinity.
  public var isInfinite: Bool { bits.isInfinite }
  /// Whether the value is 0 or -0, with any number of trailing zeros.
  public var isZero: Bool { bits.isZero }
  /// Whether the sign is negative, including the sign of -0.
  public var isSignMinus: Bool { bits.isNegative }
  /// The absolute value.
  public var magnitude: Decimal128 { Decimal128(bits.magnitude) }
}

extension Decimal128: Hashable, Comparable {
  /// Returns whether two numbers are equal. See ``Decimal128``.
  public static func == (left: Decimal128, right: Decimal128) -> Bool { left.bits == right.bits }

  /// Hashes the number. Equal numbers have equal hashes.
  public func hash(into hasher: inout Hasher) { bits.hash(into: &hasher) }

  /// Returns whether a number is less than another one. ``nan`` is less than all others.
  public static func < (left: Decimal128, right: Decimal128) -> Bool { left.bits < right.bits }
}

extension Decimal128: SignedNumeric {
  /// Returns the sum of two numbers.
  public static func + (left: Decimal128, right: Decimal128) -> Decimal128 {
    Decimal128(left.bits + right.bits)
  }

  /// Returns the difference of two numbers.
  public static func - (left: Decimal128, right: Decimal128) -> Decimal128 {
    Decimal128(left.bits - right.bits)
  }

  /// Returns the product of two numbers.
  public static func * (left: Decimal128, right: Decimal128) -> Decimal128 {
    Decimal128(left.bits * right.bits)
  }

  /// Returns the quotient of two numbers; an infinity when the divisor is 0.
  public static func / (left: Decimal128, right: Decimal128) -> Decimal128 {
    Decimal128(left.bits / right.bits)
  }

  /// Multiplies the number by another one.
  public static func *= (left: inout Decimal128, right: Decimal128) { left = left * right }

  /// Divides the number by another one.
  public static func /= (left: inout Decimal128, right: Decimal128) { left = left / right }

  /// Returns the number with the opposite sign.
  public static prefix func - (value: Decimal128) -> Decimal128 { Decimal128(value.bits.negated) }

  /// Inverts the sign of the number.
  public mutating func negate() { self = -self }
}

extension Decimal128: Strideable {
  /// Returns the difference between another number and this one.
  public func distance(to other: Decimal128) -> Decimal128 { other - self }

  /// Returns the sum of the number and a distance.
  public func advanced(by distance: Decimal128) -> Decimal128 { self + distance }
}

extension Decimal128: CustomStringConvertible, LosslessStringConvertible {
  /// The number in decimal digits. Parsing it results in an equal number.
  ///
  /// Trailing zeros of a fraction are omitted, and an exponent is used where zeros would otherwise
  /// have to be added: `1.5`, `1E40`.
  public var description: String { bits.shortDescription }

  /// The number in decimal digits. The same as ``description``.
  public var stringValue: String { description }

  /// Parses a number as ``init(string:)`` does. Returns nil when the text is not a number.
  ///
  /// The compiler treats `Decimal128("1.5")` as a literal, which traps when it is not a number.
  public init?(_ description: String) {
    guard let bits = Decimal128Bits(description) else { return nil }
    self.init(bits)
  }
}

extension Decimal128: Codable {
  /// Decodes a string or a number.
  ///
  /// A string is decoded exactly, and a number as far as the decoder keeps its digits: `JSONDecoder`
  /// keeps those of numbers that a `Decimal` can represent.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      guard let value = Decimal128(text) else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "'\(text)' is not a decimal number.")
      }
      self = value
    } else if let integer = try? container.decode(Int64.self) {
      self.init(integer)
    } else if let decimal = try? container.decode(Decimal.self) {
      self.init(decimal)
    } else {
      self.init(try container.decode(Double.self))
    }
  }

  /// Encodes the number as a string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
