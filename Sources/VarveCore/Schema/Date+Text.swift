package import Foundation

extension Date {
  /// The date that a text names: a day, `2024-01-31`, or a time with its zone, `2024-01-31T12:00:00.25Z`; nil for others.
  package init?(iso8601 text: String) {
    guard
      let date = ExactDateText.date(text)
        ?? (try? Date(text, strategy: .iso8601))
        ?? (try? Date(text, strategy: .iso8601.year().month().day()))
        ?? (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
    else { return nil }
    self = date
  }
}
