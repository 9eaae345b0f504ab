import Foundation

/// Formats numbers for people.
enum Quantity {
  /// `63,440`.
  static func count(_ number: Int) -> String {
    number.formatted(.number.locale(Locale(identifier: "en_US")))
  }

  /// `0 tags`, `1 tag`, `1,234 tags`. The default plural appends an “s”.
  static func count(_ number: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(count(number)) \(number == 1 ? noun : plural ?? noun + "s")"
  }

  /// `512 B`, `4.0 KiB`, `1.2 GiB`.
  static func bytes(_ number: Int) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
    var value = Double(number)
    var unit = 0
    // 1023.95 would be printed as 1024.0.
    while value >= (unit == 0 ? 1024 : 1023.95), unit < units.count - 1 {
      value /= 1024
      unit += 1
    }
    return unit == 0 ? "\(number) B" : String(format: "%.1f ", value) + units[unit]
  }

  /// `1.50 s`, `12.0 ms`, `340 µs`.
  static func duration(_ duration: Duration) -> String {
    let seconds = duration / .seconds(1)
    return switch seconds {
    case 0.9995...: String(format: "%.2f s", seconds)
    case 0.000_9995...: String(format: "%.1f ms", seconds * 1e3)
    default: String(format: "%.0f µs", seconds * 1e6)
    }
  }
}
