import Foundation
import VarveEncoding

extension PredicateLexer {
  /// Parses `2024-01-31@12:00:00:250000000`, in UTC, with optional nanoseconds. Returns nil without
  /// consuming input if the text does not begin like this.
  mutating func dayAndTime() throws(LexicalFault) -> Token.Kind? {
    var rest = self
    guard let year = rest.digits(), rest.take("-"), let month = rest.digits(), rest.take("-"),
      let day = rest.digits(), rest.take("@") || rest.take("T")
    else { return nil }
    let start = position
    self = rest
    guard let hour = digits(), take(":"), let minute = digits(), take(":"), let second = digits()
    else { throw timeFault(start) }
    var nanoseconds = 0
    if take(":") {
      guard let number = digits() else { throw timeFault(start) }
      nanoseconds = number
    }
    guard (1...9999).contains(year), let days = Date.days(year, month, day), hour < 24,
      minute < 60, second < 60, nanoseconds < 1_000_000_000, peek()?.isNamePart != true
    else { throw timeFault(start) }
    return Self.date(((days * 24 + hour) * 60 + minute) * 60 + second, nanoseconds)
  }

  /// Parses `T1700000000:250000000`: seconds since 1970 and nanoseconds. Returns nil without
  /// consuming input for any other word.
  mutating func secondsAndNanoseconds() throws(LexicalFault) -> Token.Kind? {
    var rest = self
    guard rest.take("T") else { return nil }
    let isBefore = rest.take("-")
    guard let seconds = rest.digits(), rest.take(":") else { return nil }
    let start = position
    self = rest
    let isNegative = take("-")
    guard let nanoseconds = digits(), nanoseconds < 1_000_000_000, peek()?.isNamePart != true
    else { throw timeFault(start) }
    return Self.date(isBefore ? -seconds : seconds, isNegative ? -nanoseconds : nanoseconds)
  }

  private static func date(_ seconds: Int, _ nanoseconds: Int) -> Token.Kind {
    let whole = Double(seconds - 978_307_200)
    return .value(
      .date(Date(timeIntervalSinceReferenceDate: whole + Double(nanoseconds) / 1_000_000_000)))
  }

  /// Parses at most 15 digits.
  private mutating func digits() -> Int? {
    var value: Int?
    for _ in 0..<15 {
      guard let scalar = peek(), scalar.isDigit else { break }
      value = (value ?? 0) * 10 + Int(scalar.value - 48)
      skip()
    }
    return value
  }

  private mutating func timeFault(_ start: Int) -> LexicalFault {
    _ = take { $0.isNamePart || $0 == ":" }
    return LexicalFault(
      "This is not a time such as 2024-01-31@12:00:00 or T1706702400:0.", at: start)
  }
}
