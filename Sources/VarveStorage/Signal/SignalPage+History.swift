import CVarve
import Glibc

/// The recorded history of the store, compared with the file when it is opened the next time.
extension SignalPage {
  /// Returns whether the history of the file differs from the recorded one: the file was restored
  /// or copied, or its last commits may have been lost.
  ///
  /// Call it while opening. Only the first user can compare: with other processes at work the file
  /// changes between two reads. A renewal that it cannot make stays recorded for a later user.
  func needsRenewal(root: RootRecord) -> Bool {
    if varve_load32(base + Offset.needsRenewal) != 0 { return true }
    guard isFirstUser else { return false }
    let remembered = RandomIdentity(
      first: varve_load64(base + Offset.incarnation),
      second: varve_load64(base + Offset.incarnation + 8))
    if remembered == RandomIdentity(first: 0, second: 0) {
      // A page without a record. A file that was never written to has no history to confuse.
      return root.counter > 0
    }
    return remembered != root.incarnation || varve_load64(base + Offset.counter) > root.counter
  }

  /// Records that a later user with write access must renew the incarnation.
  func postponeRenewal() {
    varve_store32(base + Offset.needsRenewal, 1)
  }

  /// Records a committed version. Call it with the write lock held, or while opening.
  func remember(_ version: Version) {
    varve_store64(base + Offset.incarnation, version.incarnation.first)
    varve_store64(base + Offset.incarnation + 8, version.incarnation.second)
    varve_store64(base + Offset.counter, version.counter)
    varve_store32(base + Offset.needsRenewal, 0)
  }

  /// Adopts a data file that has replaced the previous one, with the same contents.
  ///
  /// - Precondition: This is the first user, and is opening.
  func adopt(_ dataFile: FileIdentity, _ version: Version) {
    varve_store64(base + Offset.dataDevice, dataFile.device)
    varve_store64(base + Offset.dataInode, dataFile.inode)
    remember(version)
  }

  /// Records, durably, that from now on a power failure may lose commits.
  func noteCommitsAtRisk() {
    guard varve_load32(base + Offset.mayLoseCommits) == 0 else { return }
    varve_store32(base + Offset.mayLoseCommits, 1)
    msync(base, Self.byteCount, MS_SYNC)
  }

  /// Records that all commits are on the disk. Call it with the write lock held.
  func noteCommitsSafe() {
    varve_store32(base + Offset.mayLoseCommits, 0)
  }
}
