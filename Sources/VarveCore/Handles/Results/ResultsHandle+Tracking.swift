import Synchronization
import VarveStorage

extension ResultsHandle {
  /// Notes that the results are read.
  ///
  /// - Parameter path: The property of the objects that is read as well, or empty for none.
  @inline(__always)
  func noteRead(_ path: [String] = []) {
    if context.mustNoteRead { noteTracked(path) }
  }

  @inline(never)
  private func noteTracked(_ path: [String]) {
    guard !context.readsTransaction, let tracking = context.noteUse() else { return }
    let model = query.model
    guard !query.isWholeTable || !path.isEmpty else {
      return tracking.note(.allObjects(model: model.modelIndex), TrackedContent(model: model))
    }
    tracking.note(
      .results(number, path: path),
      TrackedContent(
        model: model,
        results: TrackedResults(query, path: path, context.store)))
  }

  /// The number under which reads of these results are tracked.
  private var number: UInt64 {
    let cached = trackingNumber.load(ordering: .relaxed)
    if cached != 0 { return cached }
    let new = ResultsHandle.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
    let (exchanged, original) = trackingNumber.compareExchange(
      expected: 0, desired: new, ordering: .relaxed)
    return exchanged ? new : original
  }

  /// The number assigned last.
  private static let lastNumber = Atomic<UInt64>(0)
}
