import CVarve
import Glibc

/// What the page remembers of the store's history, to be compared when it is opened the next time.
extension SignalPage {
  /// Whether the history that the file shows is not the one that the page remembers: the file was
  /// restored or copied, or its last commits may have been lost.
  ///
  /// To be asked while opening. Only the first user can compare: with others at work the file changes
  /// between two looks. What it finds and cannot mend stays noted until somebody can.
  func needsRenewal(root: RootRecord) -> Bool {
    if varve_load32(base + Offset.needsRenewal) != 0 { return true }
    guard isFirstUser else { return false }
    let remembered = RandomIdentity(
      first: varve_load64(base + Offset.incarnation),
      second: varve_load64(base + Offset.incarnation + 8))
    if remembered == RandomIdentity(first: 0, second: 0) {
      // A page without memory. A file that was never written to has no history to confuse.
      return root.counter > 0
    }
    return remembered != root.incarnation || varve_load64(base + Offset.counter) > root.counter
  }

  /// Keeps the renewal for a later user who can write.
  func postponeRenewal() {
    varve_store32(base + Offset.needsRenewal, 1)
  }

  /// Remembers a committed version. To be called with the write lock held, or while opening.
  func remember(_ version: Version) {
    varve_store64(base + Offset.incarnation, version.incarnation.first)
    varve_store64(base + Offset.incarnation + 8, version.incarnation.second)
    varve_store64(base + Offset.counter, version.counter)
    varve_store32(base + Offset.needsRenewal, 0)
  }

  /// Takes over a data file that has been put in the place of the one before, with the same contents.
  ///
  /// - Precondition: This is the first user, and is opening.
  func adopt(_ dataFile: FileIdentity, _ version: Version) {
    varve_store64(base + Offset.dataDevice, dataFile.device)
    varve_store64(base + Offset.dataInode, dataFile.inode)
    remember(version)
  }

  /// Says, durably, that from now on a power cut may lose commits.
  func noteCommitsAtRisk() {
    guard varve_load32(base + Offset.mayLoseCommits) == 0 else { return }
    varve_store32(base + Offset.mayLoseCommits, 1)
    msync(base, Self.byteCount, MS_SYNC)
  }

  /// Says that everything committed so far is on the disk. To be called with the write lock held.
  func noteCommitsSafe() {
    varve_store32(base + Offset.mayLoseCommits, 0)
  }
}
