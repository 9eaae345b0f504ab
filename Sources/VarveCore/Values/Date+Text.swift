package import Foundation

extension Date {
  /// The date that a text names: a day, `2024-01-31`, which begins at midnight of UTC, or a time with its zone,
  /// `2024-01-31T12:00:00.25Z` or `2024-01-31 12:00+01:00`; nil for others, as for days that no month has.
  package init?(iso8601 text: String) {
    if let date = ExactDateText.date(text) {
      self = date
      return
    }
    var reader = DateTextReader(rest: text.utf8[...])
    guard let date = reader.date(), reader.rest.isEmpty else { return nil }
    self = date
  }
}

/// Reads a date from its text, strictly.
private struct DateTextReader {
  var rest: Substring.UTF8View

  mutating func date() -> Date? {
    guard let year = number(4), take("-") != nil, let month = number(2), (1...12).contains(month),
      take("-") != nil, let day = number(2), day >= 1, day <= Self.days(of: month, year)
    else { return nil }
    var seconds = Double(Self.day(year, month, day)) * 86_400
    if rest.isEmpty { return Date(timeIntervalSince1970: seconds) }
    guard take("T", "t", " ") != nil, let hour = number(2), hour < 24, take(":") != nil,
      let minute = number(2), minute < 60
    else { return nil }
    seconds += Double(hour * 3_600 + minute * 60)
    if take(":") != nil {
      guard let second = number(2), second < 60 else { return nil }
      seconds += Double(second)
      if take(".") != nil {
        guard let fraction = fraction() else { return nil }
        seconds += fraction
      }
    }
    guard let zone = zone() else { return nil }
    return Date(timeIntervalSince1970: seconds - Double(zone))
  }

  /// The seconds by which a zone is ahead.
  private mutating func zone() -> Int? {
    if take("Z", "z") != nil { return 0 }
    guard let sign = take("+", "-"), let hours = number(2), hours < 24 else { return nil }
    _ = take(":")
    var minutes = 0
    if !rest.isEmpty {
      guard let read = number(2), read < 60 else { return nil }
      minutes = read
    }
    return (hours * 3_600 + minutes * 60) * (sign == "-" ? -1 : 1)
  }

  private mutating func take(_ characters: Unicode.Scalar...) -> Unicode.Scalar? {
    guard let first = rest.first.map({ Unicode.Scalar($0) }), characters.contains(first) else {
      return nil
    }
    rest = rest.dropFirst()
    return first
  }

  private mutating func number(_ count: Int) -> Int? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    rest = rest.dropFirst(count)
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  private mutating func fraction() -> Double? {
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    guard !digits.isEmpty, digits.count <= 30 else { return nil }
    rest = rest.dropFirst(digits.count)
    return Double("0." + String(decoding: digits, as: UTF8.self))
  }

  private static func days(of month: Int, _ year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }

  /// The days from the first of January 1970 to a day of the proleptic Gregorian calendar.
  private static func day(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let before = year - 1
    let leapDays = before / 4 - before / 100 + before / 400
    let ofMonths = (1..<month).reduce(0) { $0 + days(of: $1, year) }
    return before * 365 + leapDays + ofMonths + day - 1 - 719_162
  }
}
