import Synchronization
import VarveStorage

/// What is tracked in a view.
///
/// Thread safety: a lock guards the reads. It is a leaf: under it nothing is called that takes another lock.
final class TrackedReadTable: Sendable {
  // A class: in a struct, a weak reference behind an optional chain crashes (Swift 6.3.1).
  private final class Entry: Sendable {
    weak let read: TrackedRead?
    let identity: ObjectIdentifier

    init(_ read: TrackedRead) {
      self.read = read
      identity = ObjectIdentifier(read)
    }
  }
  private struct State {
    var entries: [TrackedKey: Entry] = [:]
    var follower: TrackedViewFollower?
  }
  /// Guards the reads, up to which version they were compared, and who follows commits.
  ///
  /// No read may be released under it: the end of a read takes it.
  private let state = Mutex(State())

  /// How many reads are tracked.
  var count: Int { state.withLock { $0.entries.count } }

  /// Who has the view moved when anybody commits; nil while nothing is tracked.
  var follower: TrackedViewFollower? { state.withLock { $0.follower } }

  /// Whether nothing is tracked.
  var isEmpty: Bool { count == 0 }

  /// The read of a key, made unless it is there; and who follows commits from now on, unless somebody does.
  ///
  /// `version` gives what the view reads. It is asked for under the lock, so that a read which a mover does not
  /// find here sees the version to which it moved.
  func read(
    _ key: TrackedKey, _ content: () -> TrackedContent, at version: () -> Snapshot,
    _ follower: () -> TrackedViewFollower?
  ) -> (TrackedRead, TrackedViewFollower?) {
    // Made before the lock: a query needs a view of its own.
    if let known = state.withLock({ $0.entries[key]?.read }) { return (known, nil) }
    let content = content()
    return state.withLock { state in
      if let known = state.entries[key]?.read { return (known, nil) }
      let read = TrackedRead(key, content, in: self, at: version())
      state.entries[key] = Entry(read)
      guard state.follower == nil, let new = follower() else { return (read, nil) }
      state.follower = new
      return (read, new)
    }
  }

  /// Called at the end of a read.
  func forget(_ key: TrackedKey, _ identity: ObjectIdentifier) {
    state.withLock { state in
      if state.entries[key]?.identity == identity { state.entries[key] = nil }
    }
  }

  /// Lets go of the follower when nothing is tracked.
  ///
  /// - Returns: whether it did.
  func endFollowing() -> Bool {
    state.withLock { state in
      guard state.entries.isEmpty else { return false }
      state.follower = nil
      return true
    }
  }

  /// The reads that were not compared up to a version, each with the version up to which it was.
  func reads(before new: Snapshot) -> [(TrackedRead, Snapshot)] {
    state.withLock { state in
      state.entries.values.compactMap { entry in
        guard let read = entry.read else { return nil }
        return (read, read.known)
      }
    }.filter { $0.1.transactionID < new.transactionID }
  }

  /// Notes that reads were compared up to a version and did not differ.
  func note(_ reads: [TrackedRead], knownAt new: Snapshot) {
    // Released after the lock: the end of a version takes time.
    let old = state.withLock { _ in
      reads.map { read in
        let old = read.known
        if old.transactionID < new.transactionID { read.known = new }
        return old
      }
    }
    withExtendedLifetime(old) {}
  }

  /// Takes reads out, for those who track them to be told: who reads the same from now on is another.
  ///
  /// - Returns: those that nobody else has taken.
  func take(_ reads: [TrackedRead]) -> [TrackedRead] {
    state.withLock { state in
      reads.filter { read in
        guard state.entries[read.key]?.identity == ObjectIdentifier(read) else { return false }
        state.entries[read.key] = nil
        return true
      }
    }
  }
}
