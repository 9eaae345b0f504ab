package import Foundation

extension Date {
  /// Creates the date of a text: a day, `2024-01-31`, which begins at midnight of UTC, or a time
  /// with its zone, `2024-01-31T12:00:00.25Z` or `2024-01-31 12:00+01:00`. Nil for other texts and
  /// for days that do not exist in their month.
  package init?(iso8601 text: String) {
    if let date = ExactDateText.date(text) {
      self = date
      return
    }
    var reader = DateTextReader(rest: text.utf8[...])
    guard let date = reader.date(), reader.rest.isEmpty else { return nil }
    self = date
  }

  /// Returns the number of days from 1970-01-01 to a day of the proleptic Gregorian calendar, or
  /// nil for a day that does not exist.
  static func days(_ year: Int, _ month: Int, _ day: Int) -> Int? {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...12).contains(month), (1...lengths[month - 1]).contains(day) else { return nil }
    let before = year - 1
    let years = before * 365 + before / 4 - before / 100 + before / 400
    return years + lengths[..<(month - 1)].reduce(0, +) + day - 1 - 719_162
  }
}

/// A strict parser of date texts.
private struct DateTextReader {
  var rest: Substring.UTF8View

  mutating func date() -> Date? {
    guard let year = number(4), take("-") != nil, let month = number(2), take("-") != nil,
      let day = number(2), let days = Date.days(year, month, day)
    else { return nil }
    var seconds = Double(days) * 86_400
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

  /// Reads the offset of a time zone in seconds, positive east of UTC.
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
}
