import Foundation
import VarveEncoding

extension PredicateLexer {
  /// `2024-01-31@12:00:00:250000000`, in UTC, with or without the nanoseconds; nil for what does not begin as such.
  mutating func dayAndTime() throws(LexicalFault) -> Token.Kind? {
    var reader = DateReader(self)
    guard let year = reader.number(), reader.take("-"), let month = reader.number(),
      reader.take("-"), let day = reader.number(), reader.take("@") || reader.take("T")
    else { return nil }
    let start = place
    guard let hour = reader.number(), reader.take(":"), let minute = reader.number(),
      reader.take(":"), let second = reader.number()
    else { throw reader.fault(&self, start) }
    var nanoseconds = 0
    if reader.take(":") {
      guard let number = reader.number() else { throw reader.fault(&self, start) }
      nanoseconds = number
    }
    guard (1...9999).contains(year), let days = Self.days(year, month, day), hour < 24,
      minute < 60, second < 60, nanoseconds < 1_000_000_000, reader.isAtEnd
    else { throw reader.fault(&self, start) }
    skip(reader.length)
    return Self.date(((days * 24 + hour) * 60 + minute) * 60 + second, nanoseconds)
  }

  /// `T1700000000:250000000`: seconds since 1970 and nanoseconds; nil for another word.
  mutating func secondsAndNanoseconds() throws(LexicalFault) -> Token.Kind? {
    var reader = DateReader(self)
    guard reader.take("T") else { return nil }
    let isBefore = reader.take("-")
    guard let seconds = reader.number(), reader.take(":") else { return nil }
    let start = place
    let isNegative = reader.take("-")
    guard let nanoseconds = reader.number(), nanoseconds < 1_000_000_000, reader.isAtEnd else {
      throw reader.fault(&self, start)
    }
    skip(reader.length)
    return Self.date(isBefore ? -seconds : seconds, isNegative ? -nanoseconds : nanoseconds)
  }

  private static func date(_ seconds: Int, _ nanoseconds: Int) -> Token.Kind {
    let whole = Double(seconds - 978_307_200)
    return .value(
      .date(Date(timeIntervalSinceReferenceDate: whole + Double(nanoseconds) / 1_000_000_000)))
  }

  /// The days from 1970 to a day of the Gregorian calendar; nil for a day that there is not.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int? {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...12).contains(month), (1...lengths[month - 1]).contains(day) else { return nil }
    let before = year - 1
    let years = before * 365 + before / 4 - before / 100 + before / 400
    return years + lengths[..<(month - 1)].reduce(0, +) + day - 1 - 719_162
  }
}

/// Looks ahead in a text for the parts of a date.
private struct DateReader {
  private var lexer: PredicateLexer
  private let start: Int

  init(_ lexer: PredicateLexer) {
    self.lexer = lexer
    start = lexer.place
  }

  var length: Int { lexer.place - start }

  /// Whether no name or number goes on here.
  var isAtEnd: Bool { lexer.peek()?.isNamePart != true }

  mutating func take(_ scalar: Unicode.Scalar) -> Bool { lexer.take(scalar) }

  /// At most 15 digits.
  mutating func number() -> Int? {
    var value: Int?
    for _ in 0..<15 {
      guard let scalar = lexer.peek(), scalar.isDigit else { break }
      value = (value ?? 0) * 10 + Int(scalar.value - 48)
      lexer.skip()
    }
    return value
  }

  func fault(_ lexer: inout PredicateLexer, _ start: Int) -> LexicalFault {
    lexer.skip(length)
    _ = lexer.take { $0.isNamePart || $0 == ":" }
    return LexicalFault(
      "This is no time: that is written as 2024-01-31@12:00:00 or T1706702400:0.", at: start)
  }
}
