import VarveLocks
import VarveStorage

/// The tracked reads of a view.
///
/// Thread safety: a lock guards the reads. It is a leaf lock: no other lock is taken under it.
final class TrackedReadTable: Sendable {
  private struct State {
    /// One batch, plus one for each group of reads that were entered during a comparison.
    /// Invariant: no batch is empty, since each pins a version, and a key is in at most one.
    var batches: [TrackedReadBatch] = []
    var lastNumber = 0
    var follower: TrackedViewRefresher?

    func read(_ key: TrackedKey) -> TrackedRead? {
      for batch in batches { if let read = batch.entry(key)?.read { return read } }
      return nil
    }

    /// Removes the entry of a key.
    ///
    /// - Parameters:
    ///   - identity: The identity of the read, or nil to remove the entry of any read.
    ///   - emptied: Receives the batch when its last entry was removed. Released after the lock,
    ///     because releasing a version takes time.
    /// - Returns: Whether there was an entry.
    mutating func remove(
      _ key: TrackedKey, _ identity: ObjectIdentifier?, _ emptied: inout [TrackedReadBatch]
    ) -> Bool {
      for index in batches.indices {
        guard let entry = batches[index].entry(key) else { continue }
        guard identity == nil || entry.identity == identity else { return false }
        batches[index].remove(key)
        if batches[index].count == 0 { emptied.append(batches.remove(at: index)) }
        return true
      }
      return false
    }

    /// Adds a read, replacing a deallocated one with the same key.
    mutating func add(
      _ read: TrackedRead, at version: Snapshot, _ emptied: inout [TrackedReadBatch]
    ) {
      _ = remove(read.key, nil, &emptied)
      let index =
        batches.firstIndex {
          !$0.isSealed && $0.base.transactionID == version.transactionID
        } ?? batches.endIndex
      if index == batches.endIndex {
        lastNumber += 1
        batches.append(TrackedReadBatch(lastNumber, comparedAt: version))
      }
      batches[index].add(TrackedReadEntry(read), read.key, read.content.model)
    }
  }
  /// Guards the reads, the versions up to which they were compared, and the refresher.
  ///
  /// No read may be released under it, because the deinitializer of a read takes it.
  private let state = Lock(State())

  /// The number of tracked reads.
  var count: Int { state.withLock { $0.batches.reduce(0) { $0 + $1.count } } }

  /// The refresher that moves the view after commits; nil while nothing is tracked.
  var follower: TrackedViewRefresher? { state.withLock { $0.follower } }

  /// Whether nothing is tracked.
  var isEmpty: Bool { state.withLock { $0.batches.isEmpty } }

  /// Returns the read of a key, creating it if necessary, and the refresher to start, if one was
  /// created.
  ///
  /// `version` returns the snapshot that the view reads. It is called under the lock: a read that a
  /// mover does not find in the table then sees the version that the mover moved to.
  func read(
    _ key: TrackedKey, _ content: () -> TrackedContent, at version: () -> Snapshot,
    _ follower: () -> TrackedViewRefresher?
  ) -> (TrackedRead, TrackedViewRefresher?) {
    // Made before the lock, because a query needs a view of its own.
    if let read = state.withLock({ $0.read(key) }) { return (read, nil) }
    let content = content()
    var emptied: [TrackedReadBatch] = []
    defer { withExtendedLifetime(emptied) {} }
    return state.withLock { state in
      if let read = state.read(key) { return (read, nil) }
      let read = TrackedRead(key, content, in: self)
      state.add(read, at: version(), &emptied)
      guard state.follower == nil, let new = follower() else { return (read, nil) }
      state.follower = new
      return (read, new)
    }
  }

  /// Removes a read that is being deallocated.
  func forget(_ key: TrackedKey, _ identity: ObjectIdentifier) {
    var emptied: [TrackedReadBatch] = []
    state.withLock { _ = $0.remove(key, identity, &emptied) }
    withExtendedLifetime(emptied) {}
  }

  // MARK: The refresher

  /// Releases the refresher when nothing is tracked.
  ///
  /// - Returns: Whether it was released.
  func endFollowing() -> Bool {
    state.withLock { state in
      guard state.batches.isEmpty else { return false }
      state.follower = nil
      return true
    }
  }

  /// Releases a refresher that will receive no further notification, regardless of tracked reads.
  func release(_ follower: TrackedViewRefresher) {
    // It may be the last owner of the store.
    withExtendedLifetime(follower) {
      state.withLock { if $0.follower === follower { $0.follower = nil } }
    }
  }

  // MARK: Comparing

  /// The part of a batch that is to be compared.
  struct Comparison {
    let number: Int
    let base: Snapshot
    let models: [ClassDescription]
    let results: [TrackedRead]
  }

  /// Begins a comparison of all reads that were not compared up to a version yet.
  ///
  /// - Complexity: O(classes, and reads of results).
  func beginComparing(to new: Snapshot) -> [Comparison] {
    state.withLock { state in
      var found: [Comparison] = []
      for index in state.batches.indices
      where state.batches[index].base.transactionID < new.transactionID {
        state.batches[index].isSealed = true
        let batch = state.batches[index]
        found.append(
          Comparison(
            number: batch.number, base: batch.base, models: batch.classes.values.map(\.model),
            results: batch.results.values.compactMap(\.read)))
      }
      return found
    }
  }

  /// Returns the reads of a class that may differ; see
  /// `TrackedReadBatch.reads(ofClass:touchedBy:_:)`. Empty if the batch was renumbered meanwhile.
  func reads(
    of model: ClassDescription, in number: Int, touchedBy changes: ObjectChanges?, _ keyID: UInt32?
  ) -> [TrackedRead] {
    state.withLock { state in
      state.batches.first { $0.number == number }?
        .reads(ofClass: model.modelIndex, touchedBy: changes, keyID) ?? []
    }
  }

  /// Records that batches were compared up to a version, and that their remaining reads did not
  /// differ. Batches that another thread recorded meanwhile are not changed.
  ///
  /// - Complexity: O(batches, and reads of all of them but the largest).
  func note(_ numbers: [Int], comparedAt new: Snapshot) {
    // Released after the lock, because releasing a version takes time.
    let old = state.withLock { state in
      var compared: [TrackedReadBatch] = []
      state.batches.removeAll { batch in
        guard numbers.contains(batch.number) else { return false }
        compared.append(batch)
        return true
      }
      let old = compared.map(\.base)
      compared.sort { $0.count < $1.count }
      guard var joined = compared.popLast() else { return old }
      state.lastNumber += 1
      joined.renew(state.lastNumber, comparedAt: new)
      for batch in compared { joined.add(batch) }
      state.batches.append(joined)
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// Removes all reads, as ``take(_:)`` does.
  func takeAll() -> [TrackedRead] {
    // Released after the lock.
    let batches = state.withLock { state in
      defer { state.batches = [] }
      return state.batches
    }
    return batches.flatMap(\.reads)
  }

  /// Removes reads whose observers will be notified. A later read of the same content is a new one.
  ///
  /// - Returns: The reads that no other thread has taken.
  func take(_ reads: [TrackedRead]) -> [TrackedRead] {
    var emptied: [TrackedReadBatch] = []
    let taken = state.withLock { state in
      reads.filter { state.remove($0.key, ObjectIdentifier($0), &emptied) }
    }
    withExtendedLifetime(emptied) {}
    return taken
  }
}
