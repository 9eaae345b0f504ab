extension Condition {
  /// The comparison that the condition consists of; nil for a constant and for one of parts.
  package var onlyComparison: Comparison? {
    if case .comparison(let comparison) = root.kind { comparison } else { nil }
  }
}
