import CVarve

/// The newest durable version.
extension SignalPage {
  /// The id of the newest version that is durable, or that was committed without durability. It is
  /// stored while the write lock is held, or while opening.
  var durableID: UInt64 {
    @inline(__always) get { varve_load64(base + Offset.durableID) }
    set { varve_store64(base + Offset.durableID, newValue) }
  }

  /// The id of a commit that could not be synchronized; 0 for none. It stays until the next process
  /// opens the store alone.
  var failedID: UInt64 {
    @inline(__always) get { varve_load64(base + Offset.failedID) }
    set { varve_store64(base + Offset.failedID, newValue) }
  }
}

/// The kinds of durability with which the processes of a store write.
///
/// A process with `.none` writes pages in any order: a power failure then loses or damages commits
/// that others have acknowledged. Such a process and processes that wait for the disk therefore
/// exclude each other.
extension SignalPage {
  /// Registers this process as a writer with a durability. Call it while opening.
  ///
  /// - Returns: Whether no other process writes with a durability of this kind.
  /// - Throws: `alreadyOpen` when a process writes with the other kind, or a system error.
  func enter(_ durability: Durability) throws(StorageError) -> Bool {
    let (own, other): (SignalFile.LockByte, SignalFile.LockByte) =
      durability == .none ? (.unordered, .ordered) : (.ordered, .unordered)
    guard try !file.isLockedByOthers(other) else {
      throw durability == .none
        ? StorageError(
          .alreadyOpen,
          "Another process has the store open with a durability that '.none' would break; open it with '.full'.",
          path: dataPath)
        : StorageError(
          .alreadyOpen,
          "Another process has the store open with the durability '.none', which excludes any other.",
          path: dataPath)
    }
    let isFirst = try !file.isLockedByOthers(own)
    guard try file.lock(own, isExclusive: false) else {
      throw StorageError(.busy, "Another process is opening the store.", path: dataPath)
    }
    return isFirst
  }
}
