import Foundation

/// The comparison of a figure with its threshold and its limit.
struct FigureVerdict {
  let measured: Figure.Measured
  let threshold: Int?
  let hasThreshold: Bool

  var isWithinLimit: Bool { measured.number <= measured.limit }

  var isAllowed: Bool {
    guard hasThreshold, isWithinLimit else { return isWithinLimit }
    return threshold.map { Double(measured.number) <= Double($0) * (1 + Verdict.tolerance) }
      ?? false
  }

  static let title = row("figure", "measured", "threshold", "at most", "")

  func line(_ name: String) -> String {
    let word =
      switch threshold {
      case _ where !isWithinLimit: "ABOVE THE LIMIT"
      case nil: hasThreshold ? "no threshold" : ""
      case .some where !isAllowed: "WORSE"
      case .some(let known) where Double(measured.number) < Double(known) * (1 - Verdict.tolerance):
        "better: update thresholds"
      default: ""
      }
    return Self.row(
      name, "\(measured.number)", threshold.map { "\($0)" } ?? "", "\(measured.limit)", word)
  }

  private static func row(_ cells: String...) -> String { Verdict.row(cells, last: 4) }
}
