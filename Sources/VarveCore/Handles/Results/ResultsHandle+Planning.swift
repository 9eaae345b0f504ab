import VarveStorage

extension ResultsHandle {
  /// How the query is answered in what is read now.
  ///
  /// - Throws: as ``objectIDs(in:)``.
  package func plannedSteps() throws(Failure) -> [PlanStep] {
    if query.isOfValues { return query.valueSteps }
    return context.isInvalidated ? [.nothing] : query.objectSteps(in: try context.scope())
  }
}
