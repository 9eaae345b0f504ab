/// Formatting of numbers for display.
enum Quantity {
  /// `63,440`.
  static func count(_ number: Int) -> String {
    var digits = String(number.magnitude)[...]
    var groups: [Substring] = []
    while digits.count > 3 {
      groups.append(digits.suffix(3))
      digits = digits.dropLast(3)
    }
    groups.append(digits)
    return (number < 0 ? "-" : "") + groups.reversed().joined(separator: ",")
  }

  /// `0 tags`, `1 tag`, `1,234 tags`.
  ///
  /// - Parameter noun: The noun in the singular; the plural is formed with an “s”.
  static func count(_ number: Int, _ noun: String) -> String {
    "\(count(number)) \(number == 1 ? noun : noun + "s")"
  }

  /// `512 B`, `4.0 KiB`, `1.2 GiB`.
  static func bytes(_ number: Int) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
    var value = Double(number)
    var unit = 0
    // 1023.95 would be printed as 1024.0.
    while value.magnitude >= (unit == 0 ? 1024 : 1023.95), unit < units.count - 1 {
      value /= 1024
      unit += 1
    }
    return unit == 0 ? "\(number) B" : "\(fixed(value, digits: 1)) \(units[unit])"
  }

  /// `1.5 s`, `12.0 ms`, `340 µs`, `85 ns`.
  static func duration(_ duration: Duration) -> String {
    let seconds = duration / .seconds(1)
    switch seconds.magnitude {
    case 0.9995...: return "\(fixed(seconds, digits: 2)) s"
    case 0.000_9995...: return "\(fixed(seconds * 1e3, digits: 1)) ms"
    case 0.000_000_9995...: return "\(fixed(seconds * 1e6, digits: 0)) µs"
    default: return "\(fixed(seconds * 1e9, digits: 0)) ns"
    }
  }

  /// Returns a number with a fixed number of decimal places.
  ///
  /// - Parameters:
  ///   - value: The number. NaN, infinity, and a magnitude beyond 2^63 / 10^digits are formatted as
  ///     Swift prints them.
  ///   - digits: From 0 to 9.
  /// - Returns: The text, rounded half away from zero.
  static func fixed(_ value: Double, digits: Int) -> String {
    var scale = 1
    for _ in 0..<digits { scale *= 10 }
    guard let scaled = Int(exactly: (value.magnitude * Double(scale)).rounded()) else {
      return "\(value)"
    }
    let sign = value < 0 && scaled > 0 ? "-" : ""
    guard digits > 0 else { return "\(sign)\(scaled)" }
    let fraction = String(scaled % scale)
    let zeros = String(repeating: "0", count: digits - fraction.count)
    return "\(sign)\(scaled / scale).\(zeros)\(fraction)"
  }
}
