import VarveCore
package import VarveEncoding

/// A decimal number of up to 34 digits: an IEEE 754-2008 decimal128.
///
/// ```swift
/// let price: Decimal128 = "19.90"
/// let total = price * 3  // 59.70
/// ```
///
/// Sums, differences, products and quotients are the exact result, rounded once to 34 digits, ties to the even
/// digit. Nothing traps: a division by zero gives an infinity, 0 / 0 gives ``nan``, and what is too great an
/// infinity.
///
/// Numbers that are equal are equal whatever their digits: 1 == 1.00, with one hash. A number keeps its zeros
/// nevertheless, in a realm too: `1.00` reads back as `1.00`. Where an *equal* value is written to an element of
/// a list or a map, nothing changes, its zeros neither.
///
/// ``nan`` equals itself and lies below all numbers, so that the order is a total one. In queries it is as the
/// NaN of a `Double` is: neither less nor greater than any number, and equal to none.
///
/// Thread safety: an immutable value.
public struct Decimal128: Sendable {
  package let bits: Decimal128Bits

  package init(_ bits: Decimal128Bits) { self.bits = bits }

  /// Zero.
  public init() { self.init(.zero) }

  /// Reads a number: `12`, `-0.50`, `1.5E-7`, or `NaN`, `Inf`, `Infinity` in either case.
  ///
  /// More than 34 digits are rounded, ties to the even digit. What is too great becomes an infinity.
  ///
  /// - Parameter string: the text, without spaces.
  /// - Throws: `Realm.Error` with the code `.invalidInput` for any other text.
  public init(string: String) throws {
    guard let bits = Decimal128Bits(string) else {
      throw Realm.Error(.invalidInput, "A Decimal128 is read from a number.", value: string)
    }
    self.init(bits)
  }

  /// Takes over a number, of whatever type, or a text; see ``init(string:)``.
  ///
  /// - Parameter value: an integer, Float, Double, Decimal, Decimal128, NSNumber or String.
  /// - Throws: `Realm.Error` with the code `.invalidInput` for anything else.
  public init(value: Any) throws {
    guard case .decimal(let bits) = Value.converting(Value.unwrapped(value), to: .decimal128) else {
      throw Realm.Error(.invalidInput, "A Decimal128 is read from a number.", value: "\(value)")
    }
    self.init(bits)
  }

  /// Not a number.
  public static let nan = Decimal128(Decimal128Bits.nan)
  /// Above all numbers.
  public static let infinity = Decimal128(Decimal128Bits.infinity)
  /// The greatest finite number: 34 nines, then 6111 zeros.
  public static let greatestFiniteMagnitude = Decimal128(.greatestFinite)
  /// The greatest finite number.
  public static var max: Decimal128 { greatestFiniteMagnitude }
  /// The least finite number.
  public static var min: Decimal128 { -greatestFiniteMagnitude }

  /// Whether this is no number, as the result of 0 / 0.
  public var isNaN: Bool { bits.isNaN }
  /// Whether this is a number, and no infinity.
  public var isFinite: Bool { bits.isFinite }
  /// Whether this is an infinity.
  public var isInfinite: Bool { bits.isInfinite }
  /// Whether this is 0 or -0, with whatever zeros.
  public var isZero: Bool { bits.isZero }
  /// Whether the sign is minus, of -0 too.
  public var isSignMinus: Bool { bits.isNegative }
  /// The number without its sign.
  public var magnitude: Decimal128 { Decimal128(bits.magnitude) }
}

extension Decimal128: Hashable, Comparable {
  /// Whether the numbers are equal; see ``Decimal128``.
  public static func == (left: Decimal128, right: Decimal128) -> Bool { left.bits == right.bits }

  /// Feeds the number.
  public func hash(into hasher: inout Hasher) { bits.hash(into: &hasher) }

  /// Orders by number, ``nan`` first.
  public static func < (left: Decimal128, right: Decimal128) -> Bool { left.bits < right.bits }
}

extension Decimal128: SignedNumeric {
  /// The sum.
  public static func + (left: Decimal128, right: Decimal128) -> Decimal128 {
    Decimal128(left.bits + right.bits)
  }

  /// The difference.
  public static func - (left: Decimal128, right: Decimal128) -> Decimal128 {
    Decimal128(left.bits - right.bits)
  }

  /// The product.
  public static func * (left: Decimal128, right: Decimal128) -> Decimal128 {
    Decimal128(left.bits * right.bits)
  }

  /// The quotient; an infinity where the divisor is 0.
  public static func / (left: Decimal128, right: Decimal128) -> Decimal128 {
    Decimal128(left.bits / right.bits)
  }

  /// Multiplies.
  public static func *= (left: inout Decimal128, right: Decimal128) { left = left * right }

  /// Divides.
  public static func /= (left: inout Decimal128, right: Decimal128) { left = left / right }

  /// The number with the other sign.
  public static prefix func - (value: Decimal128) -> Decimal128 { Decimal128(value.bits.negated) }

  /// The number with the other sign.
  public mutating func negate() { self = -self }
}

extension Decimal128: Strideable {
  /// The difference from here to another number.
  public func distance(to other: Decimal128) -> Decimal128 { other - self }

  /// The sum with a difference.
  public func advanced(by distance: Decimal128) -> Decimal128 { self + distance }
}

extension Decimal128: CustomStringConvertible, LosslessStringConvertible {
  /// The number in decimal digits; it reads back as an equal one.
  ///
  /// Zeros at the end of a fraction are left out, and an exponent stands where zeros would have to be made up: `1.5`,
  /// `1E40`.
  public var description: String { bits.shortDescription }

  /// The number in decimal digits.
  public var stringValue: String { description }

  /// Reads a number as ``init(string:)`` does; nil for any other text.
  ///
  /// `Decimal128("1.5")` is a literal to the compiler, and not this: it ends the program when it is no number.
  public init?(_ description: String) {
    guard let bits = Decimal128Bits(description) else { return nil }
    self.init(bits)
  }
}

extension Decimal128: Codable {
  /// Reads a text or a number.
  ///
  /// A number is exact up to the digits that the decoder keeps; a text always is.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      guard let value = Decimal128(text) else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "'\(text)' is no decimal number.")
      }
      self = value
    } else if let integer = try? container.decode(Int64.self) {
      self.init(integer)
    } else {
      self.init(try container.decode(Double.self))
    }
  }

  /// Writes the digits as a text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
