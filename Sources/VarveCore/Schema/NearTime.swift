import Foundation
import VarveEncoding

/// Recognizes the time at which a default was evaluated.
enum NearTime {
  private static let day: TimeInterval = 86_400

  /// Whether a value is a time within a day of now: a date; a number of seconds, milliseconds,
  /// microseconds or nanoseconds since 1970, or of seconds since 2001; a text in the form of ISO 8601
  /// with a date and a time.
  static func isNow(_ value: Value) -> Bool {
    switch value {
    case .date(let date): isNear(date)
    case .int(let number): isNear(Double(number))
    case .double(let number): isNear(number)
    case .string(let text): isNear(text)
    default: false
    }
  }

  private static func isNear(_ date: Date) -> Bool { abs(date.timeIntervalSinceNow) < day }

  private static func isNear(_ number: Double) -> Bool {
    [1, 1e3, 1e6, 1e9].contains { isNear(Date(timeIntervalSince1970: number / $0)) }
      || isNear(Date(timeIntervalSinceReferenceDate: number))
  }

  private static func isNear(_ text: String) -> Bool {
    guard (19...35).contains(text.utf8.count) else { return false }
    let date =
      (try? Date(text, strategy: .iso8601))
      ?? (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
    return date.map(isNear) ?? false
  }
}
