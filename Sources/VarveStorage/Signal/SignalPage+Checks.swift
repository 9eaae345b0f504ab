import CVarve
import Glibc

/// What the page remembers of whether the pages of the data file can be trusted.
extension SignalPage {
  /// Whether the file comes from elsewhere, or was written to when the machine went down, and nobody has looked at all
  /// of its pages since.
  var needsCheck: Bool { varve_load32(base + Offset.needsCheck) != 0 }

  /// Notes that all pages were found to be sound. To be called with the write lock held.
  func noteChecked() { varve_store32(base + Offset.needsCheck, 0) }

  /// Notes, before the first write, that the file is written to until the last user leaves.
  ///
  /// - Parameter isDurable: Whether the note must outlive the machine. Where commits are at risk another one does.
  func noteWriting(isDurable: Bool) {
    guard varve_load32(base + Offset.isBeingWritten) == 0 else { return }
    varve_store32(base + Offset.isBeingWritten, 1)
    if isDurable { msync(base, Self.byteCount, MS_SYNC) }
  }

  /// Works out, for a page that is made afresh, whether all pages of the data file must be checked.
  static func noteHistory(
    _ page: UnsafeMutableRawPointer, isKnown: Bool, isSameBoot: Bool, mayLoseCommits: Bool
  ) {
    let wasWritten = isKnown && varve_load32(page + Offset.isBeingWritten) != 0
    let isOwed = varve_load32(page + Offset.needsCheck) != 0
    let isUnclean = !isSameBoot && (wasWritten || mayLoseCommits)
    varve_store32(page + Offset.needsCheck, !isKnown || isOwed || isUnclean ? 1 : 0)
    varve_store32(page + Offset.isBeingWritten, wasWritten && isSameBoot ? 1 : 0)
  }

  /// Notes, for the last user, that nobody writes to the file any more.
  func noteCleanEnd() {
    guard varve_load32(base + Offset.isBeingWritten) != 0 else { return }
    // A process that opens the store must not meet the lock that shows whether there are others.
    guard !file.isOpening, (try? file.lock(.opening, isExclusive: true)) == true else { return }
    if (try? file.lock(.use, isExclusive: true)) == true {
      varve_store32(base + Offset.isBeingWritten, 0)
    }
    file.unlock(.use)
    file.unlock(.opening)
  }
}
