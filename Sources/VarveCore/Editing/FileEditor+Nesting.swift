import VarveEncoding
import VarveStorage

/// Nested transactions: the closures of a group of asynchronous writes.
extension FileEditor {
  /// The state that the rollback of a nested transaction restores.
  struct Frame {
    let schema: FileSchema
    let outcome: TransactionOutcome
    let failure: Failure?
    let registeredCount: Int
  }

  /// Begins a nested transaction: one closure of a group of asynchronous writes.
  func beginNested() throws(Failure) {
    try flush()
    try openTablesForNested()
    try engine { () throws(StorageError) in try storage.beginNested() }
    frames.append(
      Frame(
        schema: schema, outcome: outcome, failure: failure, registeredCount: registered.count))
    outcome = TransactionOutcome(outer: outcome)
    startFrame()
  }

  func commitNested() throws(Failure) {
    try flush()
    try engine { () throws(StorageError) in try storage.commitNested() }
    guard let frame = frames.popLast() else { return }
    outcome.resolve(.committed)
    outcome = frame.outcome
    startFrame()
  }

  func abortNested() {
    discardEdits()
    writer.highWaterMarks.note(storage.root)
    do throws(StorageError) {
      try storage.abortNested()
    } catch {
      markFailed(Failure(error))
    }
    outcome.resolve(.rolledBack)
    guard let frame = frames.popLast() else { return }
    schema = frame.schema
    outcome = frame.outcome
    failure = frame.failure
    registered.removeLast(registered.count - frame.registeredCount)
    // Ids that the rolled-back transaction assigned are not assigned again.
    storage.prepareRoot(writer.highWaterMarks.raise)
    classes.removeAll()
    startFrame()
  }

  var isNested: Bool { !frames.isEmpty }

  private func startFrame() {
    serial = FileEditor.nextSerial()
    highestObjectIDs.removeAll()
    generatedIDs.removeAll()
  }
}
