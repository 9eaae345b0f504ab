import VarveEncoding
import VarveStorage

/// Nested transactions: the closures of a group of asynchronous writes.
extension FileEditor {
  /// The state that the rollback of a nested transaction restores.
  struct Frame {
    let schema: FileSchema
    let token: TransactionOutcome
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
        schema: schema, token: token, failure: failure, registeredCount: registered.count))
    token = TransactionOutcome(outer: token)
    startFrame()
  }

  func commitNested() throws(Failure) {
    try flush()
    try engine { () throws(StorageError) in try storage.commitNested() }
    guard let frame = frames.popLast() else { return }
    token.resolve(.committed)
    token = frame.token
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
    token.resolve(.rolledBack)
    guard let frame = frames.popLast() else { return }
    schema = frame.schema
    token = frame.token
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
