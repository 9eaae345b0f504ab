import CVarve
import Glibc
import Synchronization
import VarveLocks

/// The lock that writers of all processes take before LMDB's own.
///
/// LMDB's lock has no timeout and does not show its owner; and between its release at the end of a
/// commit and the pin of the new version another process could commit. This lock is held from
/// before LMDB's begin until the new version is pinned.
extension SignalPage {
  /// The interval at which a waiting thread checks for cancellation.
  private static let slice = Duration.milliseconds(20)

  /// Takes the write lock for the calling thread.
  ///
  /// - Parameters:
  ///   - timeout: The maximum time to wait; zero only tries.
  ///   - isCancelled: A closure that is called about fifty times a second.
  ///   - isOpen: A closure, called as often, that returns whether the store is still open.
  /// - Returns: The wait; nil when the lock was free.
  /// - Throws: `busy` with the process that holds the lock and since when; `cancelled`;
  ///   `badTransaction` when this thread holds it.
  @discardableResult
  func lock(
    timeout: Duration, isCancelled: (() -> Bool)?, while isOpen: () -> Bool = { true }
  ) throws(StorageError) -> WriteLockWait? {
    // Read only if the lock is not free.
    var begin: ContinuousClock.Instant?
    var holder: Int32?
    var remaining = Duration.zero
    defer {
      if begin != nil { waitingThreads.subtract(1, ordering: .relaxed) }
    }
    while true {
      let result = varve_shared_mutex_lock(
        base + Offset.mutex, min(remaining, Self.slice).nanoseconds)
      switch result {
      case 0, EOWNERDEAD:
        // LMDB rolls back by itself, and `finishLastCommit` completes a commit of a dead owner.
        varve_store64(base + Offset.ownerSince, Self.timeOfDay)
        varve_store32(base + Offset.ownerPid, UInt32(bitPattern: processID))
        lockedBy.store(UInt(pthread_self()), ordering: .relaxed)
        return begin.map { WriteLockWait(duration: .now - $0, processID: holder) }
      case EDEADLK where lockedBy.load(ordering: .relaxed) == UInt(pthread_self()):
        throw StorageError(
          .badTransaction, "This thread is already in a write transaction.", path: dataPath)
      case ETIMEDOUT, EBUSY, EDEADLK:
        // The mutex does not wait for a thread of another PID namespace with the thread id of this
        // one.
        if result == EDEADLK { usleep(1000) }
        if isCancelled?() == true || !isOpen() {
          throw StorageError(
            .cancelled, "The wait for the write lock was cancelled.", path: dataPath)
        }
        let now = ContinuousClock.now
        holder = holder ?? owner?.pid
        if begin == nil {
          begin = now
          waitingThreads.add(1, ordering: .relaxed)
        }
        remaining = timeout - (now - (begin ?? now))
        if remaining <= .zero { throw busy() }
      default:
        throw StorageError.system(result, path: path, "The write lock is unusable.")
      }
    }
  }

  /// Releases the write lock, on the thread that took it.
  func unlock() {
    lockedBy.store(0, ordering: .relaxed)
    varve_store32(base + Offset.ownerPid, 0)
    varve_store64(base + Offset.ownerSince, 0)
    _ = varve_shared_mutex_unlock(base + Offset.mutex)
  }

  /// The owner of the write lock, and the time it acquired the lock in seconds since 1970.
  var owner: (pid: Int32, since: Double)? {
    let pid = Int32(bitPattern: varve_load32(base + Offset.ownerPid))
    guard pid != 0 else { return nil }
    return (pid, Double(varve_load64(base + Offset.ownerSince)) / 1e9)
  }

  private func busy() -> StorageError {
    let owner = self.owner
    return StorageError(
      .busy, "Another writer holds the write lock.", path: dataPath, pid: owner?.pid,
      since: owner?.since)
  }
}

/// The time that a write waited for the write lock.
package struct WriteLockWait: Sendable {
  package let duration: Duration
  /// The process that held the lock when the wait began; nil when it is unknown.
  package let processID: Int32?
}
