import Foundation

/// The comparison of an operation's cost with its threshold.
struct Verdict {
  let cost: Cost
  let threshold: Cost?
  var isTimed = false

  /// The tolerated excess: the memory order of hashed values and the height of trees vary a little.
  static let tolerance = 0.05
  /// The tolerated excess of operations whose cost depends on time.
  private static let timedTolerance = 0.3

  /// Less than one of fifty allocations: some work is done once for many operations.
  private var allocationTolerance: Double { isTimed ? Self.timedTolerance : 0.01 }

  private var tolerance: Double { isTimed ? Self.timedTolerance : Self.tolerance }

  var isAllowed: Bool {
    guard let threshold else { return false }
    return cost.instructions <= threshold.instructions * (1 + tolerance)
      && cost.allocations <= threshold.allocations * (1 + allocationTolerance) + 0.01
  }

  static let title = row("operation", "instructions", "threshold", "allocations", "threshold", "")

  func line(_ name: String) -> String {
    let word =
      switch threshold {
      case nil: "no threshold"
      case .some where !isAllowed: "WORSE"
      case .some(let known) where cost.instructions < known.instructions * (1 - tolerance):
        "better: update thresholds"
      default: ""
      }
    return Self.row(
      name, Self.text(cost.instructions), Self.text(threshold?.instructions),
      Self.text(cost.allocations), Self.text(threshold?.allocations), word)
  }

  private static func text(_ number: Double?) -> String {
    number.map { $0.formatted(.number.precision(.fractionLength(2)).grouping(.never)) } ?? ""
  }

  private static func row(_ cells: String...) -> String { row(cells, last: 5) }

  /// Returns a line of a table, whose first and last columns begin at the left.
  static func row(_ cells: [String], last: Int) -> String {
    cells.enumerated().map { index, cell in
      let space = String(repeating: " ", count: max(0, (index == 0 ? 26 : 12) - cell.count))
      return index == 0 || index == last ? cell + space : space + cell
    }.joined(separator: "  ")
  }
}

extension Cost {
  /// The cost as it is written to a file.
  var rounded: Cost {
    Cost(
      instructions: (instructions * 10).rounded() / 10,
      allocations: (allocations * 100).rounded() / 100)
  }
}
