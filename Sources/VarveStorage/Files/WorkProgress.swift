/// Counts the units of a long operation, and reports them to an observer, which may stop it.
///
/// The units never decrease, and a report is made for each thousandth of them only.
///
/// Thread safety: one thread at a time.
package final class WorkProgress {
  private let observer: WorkObserver?
  private let path: String
  private let isReported: Bool
  private var total = 1
  private var completed = 0
  private var isFinished = false
  /// The number of units at which the next report is due.
  private var due = 0

  /// - Parameters:
  ///   - path: The path of the file, for errors.
  ///   - isReported: Whether the observer receives reports. It may stop the operation in any case.
  package init(_ observer: WorkObserver?, path: String, isReported: Bool = true) {
    self.observer = observer
    self.path = path
    self.isReported = isReported
  }

  /// Sets the number of units before the first one is completed.
  ///
  /// - Throws: `cancelled` when the observer stops the operation.
  package func begin(total: Int) throws(StorageError) {
    self.total = max(1, total)
    try report()
  }

  /// Adds completed units. The last unit is only completed by ``finish()``.
  ///
  /// - Throws: `cancelled` when the observer stops the operation.
  @inline(__always)
  package func advance(by units: Int = 1) throws(StorageError) {
    completed &+= units
    if _slowPath(completed >= due) { try report() }
  }

  /// Sets the number of completed units, if it is greater than before.
  ///
  /// - Throws: `cancelled` when the observer stops the operation.
  package func advance(to units: Int) throws(StorageError) {
    completed = max(completed, units)
    try report()
  }

  /// Completes all units.
  ///
  /// - Throws: `cancelled` when the observer stops the operation.
  package func finish() throws(StorageError) {
    isFinished = true
    try report()
  }

  private func report() throws(StorageError) {
    due = completed &+ max(1, total / 1000)
    guard let observer else { return }
    guard isReported else { return try observer.check(path: path) }
    let shown = isFinished ? total : min(completed, total - 1)
    try observer.note(CopyProgress(completedBytes: shown, totalBytes: total), path: path)
  }
}
