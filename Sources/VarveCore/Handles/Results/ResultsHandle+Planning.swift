import VarveStorage

extension ResultsHandle {
  /// Returns the plan steps of the query for the version that is read now.
  ///
  /// - Throws: The errors of ``objectIDs(in:)``.
  package func plannedSteps() throws(Failure) -> [PlanStep] {
    if query.isOfValues { return query.valueSteps }
    return context.isInvalidated ? [.nothing] : query.objectSteps(in: try context.scope())
  }
}
