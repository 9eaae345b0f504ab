import CVarve
import Glibc

/// The record of whether the pages of the data file can be trusted.
extension SignalPage {
  /// Whether the file comes from elsewhere, or was being written when the machine went down, and
  /// not all of its pages have been checked since.
  var needsCheck: Bool { varve_load32(base + Offset.needsCheck) != 0 }

  /// Whether a process has checked all pages while the page was in use.
  var isChecked: Bool { varve_load32(base + Offset.isChecked) != 0 }

  /// Records that all pages are valid. Call it with the write lock held.
  func noteChecked() {
    varve_store32(base + Offset.needsCheck, 0)
    varve_store32(base + Offset.isChecked, 1)
  }

  /// Records, before the first write, that the file is being written until the last user leaves.
  ///
  /// - Parameter isDurable: Whether the record must survive a power failure. If commits are at
  ///   risk, `noteCommitsAtRisk` is durable instead.
  func noteWriting(isDurable: Bool) {
    guard varve_load32(base + Offset.isBeingWritten) == 0 else { return }
    varve_store32(base + Offset.isBeingWritten, 1)
    if isDurable { msync(base, Self.byteCount, MS_SYNC) }
  }

  /// Determines, for a page that is initialized again, whether all pages of the data file must be
  /// checked.
  static func noteHistory(
    _ page: UnsafeMutableRawPointer, isKnown: Bool, isSameBoot: Bool, mayLoseCommits: Bool
  ) {
    let wasWritten = isKnown && varve_load32(page + Offset.isBeingWritten) != 0
    let isOwed = varve_load32(page + Offset.needsCheck) != 0
    let isUnclean = !isSameBoot && (wasWritten || mayLoseCommits)
    varve_store32(page + Offset.needsCheck, !isKnown || isOwed || isUnclean ? 1 : 0)
    varve_store32(page + Offset.isBeingWritten, wasWritten && isSameBoot ? 1 : 0)
  }

  /// Records, if this is the last user, that no process writes to the file any more.
  func noteCleanEnd() {
    guard varve_load32(base + Offset.isBeingWritten) != 0 else { return }
    // The test for other users takes their lock briefly, which a process that is opening the store
    // must not encounter.
    guard !file.isOpening, (try? file.lock(.opening, isExclusive: true)) == true else { return }
    if (try? file.lock(.use, isExclusive: true)) == true {
      varve_store32(base + Offset.isBeingWritten, 0)
    }
    file.unlock(.use)
    file.unlock(.opening)
  }
}
