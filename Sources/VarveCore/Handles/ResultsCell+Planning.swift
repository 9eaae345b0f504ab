import VarveStorage

extension ResultsCell {
  /// How the query is answered in what is read now.
  ///
  /// - Throws: as ``objectIDs(in:)``.
  package func plannedSteps() throws(Failure) -> [PlanStep] {
    if query.isOfValues { return query.valueSteps }
    if context.isVoid { return [.nothing] }
    let transaction = context.transaction
    try transaction?.flush()
    let reader: any TableReader = transaction?.reader ?? context.snapshot
    return query.objectSteps(
      in: reader, schema: transaction?.schema ?? context.store.schema, store: context.store)
  }
}
