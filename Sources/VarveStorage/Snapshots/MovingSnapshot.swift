/// A snapshot that can be replaced while other threads read it: what a live view holds.
///
/// A reader brackets its reads with `enter` and `exit`; in between it announces the snapshot, which then
/// ends only after `exit`. That costs two stores instead of a shared reference count.
///
/// Thread safety: any thread. Between `enter` and `exit` a thread must not suspend, run user code, or
/// enter a second time (not even another moving snapshot, nor ask the environment for a snapshot).
@usableFromInline
package final class MovingSnapshot: Sendable {
  @usableFromInline let pointer: HazardPointer

  package init(_ snapshot: Snapshot) {
    pointer = HazardPointer(snapshot)
  }

  /// Announces the current snapshot, and gives it. It is valid until `exit`.
  ///
  /// - Precondition: This thread is not between an `enter` and its `exit`.
  @inlinable
  package func enter() -> Unmanaged<Snapshot> {
    // Safe because this pointer is never empty: it is made with a snapshot, and only ever gets another.
    Unmanaged.fromOpaque(pointer.enter().unsafelyUnwrapped)
  }

  /// Ends the announcement that `enter` made on this thread.
  @inlinable
  package func exit() {
    HazardPointer.exit()
  }

  /// The current snapshot, held strongly.
  package func retained() -> Snapshot {
    let snapshot = enter()
    defer { exit() }
    return snapshot.takeUnretainedValue()
  }

  /// Replaces the snapshot by a later version: of movers that race, the one with the latest wins. The old one ends when
  /// its last holder and its last announcement are gone.
  ///
  /// - Returns: Whether it was replaced; false when it is that version already, or a later one.
  /// - Complexity: O(threads), and an interrupt of each running thread of the process; a few loads when it returns false.
  package func advance(to snapshot: Snapshot) -> Bool {
    guard let old = replaceEarlier(by: snapshot) else { return false }
    HazardDomain.retire(old)
    return true
  }

  /// As ``advance(to:)``, for somebody who replaces several snapshots and retires them together.
  ///
  /// - Parameter snapshot: The version.
  /// - Returns: What was replaced, which the caller retires; a reference to nothing when it is that version already, or a
  ///   later one.
  /// - Complexity: A few loads and an exchange.
  package func advanced(to snapshot: Snapshot) -> RetiredReference {
    RetiredReference(replaceEarlier(by: snapshot))
  }

  /// Replaces the snapshot by a later version.
  ///
  /// - Returns: What was replaced, to be retired; nil when it is that version already, or a later one.
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

  /// Replaces one snapshot by another, if it is still there.
  ///
  /// - Parameters:
  ///   - old: What is to be replaced; the caller holds it.
  ///   - new: What takes its place.
  /// - Returns: Whether it was replaced.
  /// - Complexity: As ``advance(to:)``; O(1) when it returns false.
  package func replace(_ old: Snapshot, with new: Snapshot) -> Bool {
    // Safe because the caller's reference keeps the address from becoming another snapshot's.
    let old = Unmanaged.passUnretained(old)
    guard pointer.replace(old, with: new) else { return false }
    HazardDomain.retire(old)
    return true
  }
}
