/// Which kinds of durability the processes of a store write with.
///
/// A process with `.none` writes pages in any order: a power cut then loses or damages what others have acknowledged.
/// So it and processes that wait for the disk exclude each other.
extension SignalPage {
  /// Becomes a process that writes with a durability. To be called while opening.
  ///
  /// - Returns: Whether no other process writes with a durability of this kind.
  /// - Throws: `alreadyOpen` when a process writes with one of the other kind, or what the system reports.
  func enter(_ durability: Durability) throws(StorageError) -> Bool {
    let (own, other): (SignalFile.LockByte, SignalFile.LockByte) =
      durability == .none ? (.unordered, .ordered) : (.ordered, .unordered)
    guard try !file.isLockedByOthers(other) else {
      throw durability == .none
        ? StorageError(
          .alreadyOpen,
          "Another process has the store open with a durability that '.none' would break; open it with '.full' or '.relaxed'.",
          path: dataPath)
        : StorageError(
          .alreadyOpen,
          "Another process has the store open with the durability '.none', which no other can go with.",
          path: dataPath)
    }
    let isFirst = try !file.isLockedByOthers(own)
    guard try file.lock(own, isExclusive: false) else {
      throw StorageError(.busy, "Another process is opening the store.", path: dataPath)
    }
    return isFirst
  }
}
