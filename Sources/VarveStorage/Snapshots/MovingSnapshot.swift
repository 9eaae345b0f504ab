/// A snapshot that can be replaced while other threads read it: the snapshot of a live view.
///
/// A reader brackets its reads with `enter` and `exit`. In between it announces the snapshot, which
/// then ends only after `exit`. That costs two stores instead of a shared reference count.
///
/// Thread safety: any thread. Between `enter` and `exit` a thread must not suspend, run user code,
/// enter a second time (not even another moving snapshot), or request a snapshot from the
/// environment.
@usableFromInline
package final class MovingSnapshot: Sendable {
  @usableFromInline let pointer: HazardPointer

  package init(_ snapshot: Snapshot) {
    pointer = HazardPointer(snapshot)
  }

  /// Announces the current snapshot, and returns it. It is valid until `exit`.
  ///
  /// - Precondition: This thread is not between an `enter` and its `exit`.
  @inlinable
  package func enter() -> Unmanaged<Snapshot> {
    // Safe because this pointer is never empty: it is created with a snapshot, and only ever gets
    // another.
    Unmanaged.fromOpaque(pointer.enter().unsafelyUnwrapped)
  }

  /// Ends the announcement that `enter` made on this thread.
  @inlinable
  package func exit() {
    HazardPointer.exit()
  }

  /// Returns the current snapshot with a strong reference.
  package func retained() -> Snapshot {
    let snapshot = enter()
    defer { exit() }
    return snapshot.takeUnretainedValue()
  }

  /// Replaces the snapshot by a later version. If several movers race, the one with the latest
  /// version wins. The old snapshot ends when its last reference and its last announcement are
  /// gone.
  ///
  /// - Returns: Whether it was replaced; false when it is that version already, or a later one.
  /// - Complexity: O(threads), and an interrupt of each running thread of the process; a few loads
  ///   when it returns false.
  package func advance(to snapshot: Snapshot) -> Bool {
    guard let old = replaceEarlier(by: snapshot) else { return false }
    HazardDomain.retire(old)
    return true
  }

  /// Replaces the snapshot by a later version, for a caller that replaces several snapshots and
  /// retires them together. See ``advance(to:)``.
  ///
  /// - Returns: The replaced snapshot, which the caller retires; an empty reference when it is that
  ///   version already, or a later one.
  /// - Complexity: A few loads and an exchange.
  package func advanced(to snapshot: Snapshot) -> RetiredReference {
    RetiredReference(replaceEarlier(by: snapshot))
  }

  /// Replaces the snapshot by a later version.
  ///
  /// - Returns: The replaced snapshot, to be retired; nil when it is that version already, or a
  ///   later one.
  private func replaceEarlier(by snapshot: Snapshot) -> Unmanaged<Snapshot>? {
    while true {
      let old = enter()
      let isEarlier = old._withUnsafeGuaranteedRef { $0.transactionID < snapshot.transactionID }
      let hasReplaced = isEarlier && pointer.replace(old, with: snapshot)
      exit()
      if hasReplaced { return old }
      if !isEarlier { return nil }
    }
  }

  /// Replaces the snapshot if it is still `old`.
  ///
  /// - Parameters:
  ///   - old: The expected snapshot, which the caller retains.
  ///   - new: The new snapshot.
  /// - Returns: Whether it was replaced.
  /// - Complexity: That of ``advance(to:)``; O(1) when it returns false.
  package func replace(_ old: Snapshot, with new: Snapshot) -> Bool {
    // Safe because the caller's reference keeps the address from becoming another snapshot's.
    let old = Unmanaged.passUnretained(old)
    guard pointer.replace(old, with: new) else { return false }
    HazardDomain.retire(old)
    return true
  }
}
