import Logging
import VarveStorage

extension Store {
  /// Checks the newest version before the store is used, and closes the store if it has problems or
  /// the opening is stopped.
  ///
  /// - Throws: `.corrupted` with the first problems, or `.cancelled`.
  /// - Complexity: O(bytes of the file).
  func checkAtOpening() throws(Failure) {
    do throws(Failure) {
      let report = try StoreCheck.run(try newestSnapshotToCheck(), stoppedBy: options.workWatch)
      guard !report.isSound else { return }
      throw Failure(
        .corrupted, "The check of the store found problems.", path: options.path,
        details: report.problems.prefix(10).map(\.text))
    } catch {
      do throws(Failure) {
        try closeFile()
      } catch {
        log(.error, "A file that could not be used was not closed.", error.message)
      }
      endUse()
      throw error
    }
  }
}
