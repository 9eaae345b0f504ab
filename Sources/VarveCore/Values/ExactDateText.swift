package import Foundation

/// Dates as ISO 8601 in UTC that round-trip to the bit: `2024-01-31T12:00:00.25Z`.
///
/// The fraction has as many digits as necessary to read the same `Double` of seconds back. The
/// calendar is Gregorian, also before 1582.
package enum ExactDateText {
  private static let secondsFrom1970To2001 = 978_307_200
  private static let secondsOfDay = 86_400
  /// The years 1 to 9999, in seconds since 2001.
  private static let years = -63_113_904_000.0..<252_423_993_600.0

  /// Returns the text of a date.
  ///
  /// - Returns: Nil for a date outside of the years 1 to 9999, and for a date so near to 2001 that
  ///   it has too many digits.
  package static func text(_ date: Date) -> String? {
    let seconds = date.timeIntervalSinceReferenceDate
    guard years.contains(seconds), seconds != 0 || seconds.sign == .plus else { return nil }
    // The shortest digits that are read as the same number.
    let parts = "\(seconds.magnitude)".split(separator: ".")
    guard parts.count == 2, var whole = Int(parts[0]), let digits = Fraction(parts[1]) else {
      return nil
    }
    var fraction = digits
    if seconds < 0 {
      whole = -whole
      if fraction.value > 0 {
        whole -= 1
        fraction = fraction.complement
      }
    }
    return dayAndTime(whole + secondsFrom1970To2001) + fraction.text + "Z"
  }

  /// Returns the date of a text, or nil for a text in another format than that of ``text(_:)``,
  /// with any number of digits up to 17.
  package static func date(_ text: String) -> Date? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z"),
      let year = number(bytes, 0, 4), let month = number(bytes, 5, 2),
      let day = number(bytes, 8, 2), let hour = number(bytes, 11, 2),
      let minute = number(bytes, 14, 2), let second = number(bytes, 17, 2),
      bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"),
      bytes[16] == UInt8(ascii: ":"),
      year >= 1, 1...12 ~= month, 1...31 ~= day, hour < 24, minute < 60, second < 60
    else { return nil }
    var fraction = Fraction.none
    if bytes.count > 20 {
      let digits = String(decoding: bytes[20..<bytes.count - 1], as: UTF8.self)
      guard bytes[19] == UInt8(ascii: "."), let given = Fraction(digits[...]) else { return nil }
      fraction = given
    }
    let days = Self.days(year, month, day)
    guard civil(days) == (year, month, day) else { return nil }
    var whole =
      days * secondsOfDay + hour * 3600 + minute * 60 + second - secondsFrom1970To2001
    var sign = ""
    if whole < 0 {
      sign = "-"
      whole = -whole
      if fraction.value > 0 {
        whole -= 1
        fraction = fraction.complement
      }
    }
    return Double("\(sign)\(whole)\(fraction.text)").map {
      Date(timeIntervalSinceReferenceDate: whole == 0 && fraction.value == 0 ? 0 : $0)
    }
  }

  private static func dayAndTime(_ seconds: Int) -> String {
    var (days, rest) = seconds.quotientAndRemainder(dividingBy: secondsOfDay)
    if rest < 0 {
      days -= 1
      rest += secondsOfDay
    }
    let (year, month, day) = civil(days)
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T"
      + "\(padded(rest / 3600, 2)):\(padded(rest / 60 % 60, 2)):\(padded(rest % 60, 2))"
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  private static func number(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int? {
    var number = 0
    for byte in bytes[start..<start + count] {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      number = number * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return number
  }

  // MARK: The calendar

  // Years are counted from March, so that a leap day is the last day of a year; 400 years have
  // 146,097 days. Days are counted from 1970-01-01, which is day 719,468 after the first of March
  // of the year 0.

  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month > 2 ? year : year - 1
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return 365 * year + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
  }

  private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let day = days + 719_468
    let era = day / 146_097
    let dayOfEra = day % 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0)
    return (year, month < 10 ? month + 3 : month - 9, dayOfYear - (153 * month + 2) / 5 + 1)
  }
}

/// The digits after the decimal point of a number of seconds.
private struct Fraction {
  var value: Int
  var count: Int

  static let none = Fraction(value: 0, count: 0)

  private init(value: Int, count: Int) {
    self.value = value
    self.count = count
  }

  /// - Parameter digits: 1 to 17 digits, without other characters.
  init?(_ digits: Substring) {
    guard 1...17 ~= digits.utf8.count,
      digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let value = Int(digits)
    else { return nil }
    self.init(value: value, count: digits.utf8.count)
  }

  /// The difference to one.
  var complement: Fraction {
    Fraction(value: (0..<count).reduce(1) { power, _ in power * 10 } - value, count: count)
  }

  /// The digits with the point, or an empty text for zero.
  var text: String {
    if value == 0 { return "" }
    let digits = String(value)
    return "." + String(repeating: "0", count: count - digits.count) + digits
  }
}
