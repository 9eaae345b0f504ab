import Synchronization
import VarveStorage

/// What is tracked in a view.
///
/// Thread safety: a lock guards the reads. It is a leaf: under it nothing is called that takes another lock.
final class TrackedReadTable: Sendable {
  private struct State {
    /// One, but for reads that came while others were compared. None is empty, since each holds a version, and
    /// a key is in one at most.
    var batches: [TrackedReadBatch] = []
    var lastNumber = 0
    var follower: TrackedViewRefresher?

    func read(_ key: TrackedKey) -> TrackedRead? {
      for batch in batches { if let read = batch.entry(key)?.read { return read } }
      return nil
    }

    /// Takes the entry of a key out.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - identity: of the read, if the entry of no other one is meant.
    ///   - emptied: gets the batch if that was its last entry. Released after the lock: the end of a version takes
    ///     time.
    /// - Returns: whether there was one.
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

    /// Adds a read, in place of one with the same key that has ended.
    mutating func add(
      _ read: TrackedRead, at version: Snapshot, _ emptied: inout [TrackedReadBatch]
    ) {
      _ = remove(read.key, nil, &emptied)
      let place =
        batches.firstIndex {
          !$0.isSealed && $0.known.transactionID == version.transactionID
        } ?? batches.endIndex
      if place == batches.endIndex {
        lastNumber += 1
        batches.append(TrackedReadBatch(lastNumber, knownAt: version))
      }
      batches[place].add(TrackedReadEntry(read), read.key, read.content.model)
    }
  }
  /// Guards the reads, up to which version they were compared, and who follows commits.
  ///
  /// No read may be released under it: the end of a read takes it.
  private let state = Mutex(State())

  /// How many reads are tracked.
  var count: Int { state.withLock { $0.batches.reduce(0) { $0 + $1.count } } }

  /// Who has the view moved when anybody commits; nil while nothing is tracked.
  var follower: TrackedViewRefresher? { state.withLock { $0.follower } }

  /// Whether nothing is tracked.
  var isEmpty: Bool { state.withLock { $0.batches.isEmpty } }

  /// The read of a key, made unless it is there; and who follows commits from now on, unless somebody does.
  ///
  /// `version` gives what the view reads. It is asked for under the lock, so that a read which a mover does not
  /// find here sees the version to which it moved.
  func read(
    _ key: TrackedKey, _ content: () -> TrackedContent, at version: () -> Snapshot,
    _ follower: () -> TrackedViewRefresher?
  ) -> (TrackedRead, TrackedViewRefresher?) {
    // Made before the lock: a query needs a view of its own.
    if let known = state.withLock({ $0.read(key) }) { return (known, nil) }
    let content = content()
    var emptied: [TrackedReadBatch] = []
    defer { withExtendedLifetime(emptied) {} }
    return state.withLock { state in
      if let known = state.read(key) { return (known, nil) }
      let read = TrackedRead(key, content, in: self)
      state.add(read, at: version(), &emptied)
      guard state.follower == nil, let new = follower() else { return (read, nil) }
      state.follower = new
      return (read, new)
    }
  }

  /// Called at the end of a read.
  func forget(_ key: TrackedKey, _ identity: ObjectIdentifier) {
    var emptied: [TrackedReadBatch] = []
    state.withLock { _ = $0.remove(key, identity, &emptied) }
    withExtendedLifetime(emptied) {}
  }

  // MARK: The follower

  /// Lets go of the follower when nothing is tracked.
  ///
  /// - Returns: whether it did.
  func endFollowing() -> Bool {
    state.withLock { state in
      guard state.batches.isEmpty else { return false }
      state.follower = nil
      return true
    }
  }

  /// Lets go of a follower that will be told nothing more, whatever is tracked.
  func release(_ follower: TrackedViewRefresher) {
    // It may be what holds the store.
    withExtendedLifetime(follower) {
      state.withLock { if $0.follower === follower { $0.follower = nil } }
    }
  }

  // MARK: Comparing

  /// What is to be compared of a batch.
  struct Comparison {
    let number: Int
    let known: Snapshot
    let models: [ClassDescription]
    let results: [TrackedRead]
  }

  /// Begins a comparison of all that was not compared up to a version yet.
  ///
  /// - Complexity: O(classes, and reads of results).
  func beginComparing(to new: Snapshot) -> [Comparison] {
    state.withLock { state in
      var found: [Comparison] = []
      for index in state.batches.indices
      where state.batches[index].known.transactionID < new.transactionID {
        state.batches[index].isSealed = true
        let batch = state.batches[index]
        found.append(
          Comparison(
            number: batch.number, known: batch.known, models: batch.classes.values.map(\.model),
            results: batch.results.values.compactMap(\.read)))
      }
      return found
    }
  }

  /// The reads of a class that may differ; see `TrackedReadBatch.reads(ofClass:touchedBy:_:)`. None if the batch
  /// was noted meanwhile.
  func reads(
    of model: ClassDescription, in number: Int, touchedBy changes: ObjectChanges?, _ keyID: UInt32?
  ) -> [TrackedRead] {
    state.withLock { state in
      state.batches.first { $0.number == number }?
        .reads(ofClass: model.modelIndex, touchedBy: changes, keyID) ?? []
    }
  }

  /// Notes that batches were compared up to a version, and that what is left in them did not differ. Those that
  /// somebody else noted meanwhile stay as they are.
  ///
  /// - Complexity: O(batches, and reads of all of them but the largest).
  func note(_ numbers: [Int], knownAt new: Snapshot) {
    // Released after the lock: the end of a version takes time.
    let old = state.withLock { state in
      var compared: [TrackedReadBatch] = []
      state.batches.removeAll { batch in
        guard numbers.contains(batch.number) else { return false }
        compared.append(batch)
        return true
      }
      let old = compared.map(\.known)
      compared.sort { $0.count < $1.count }
      guard var joined = compared.popLast() else { return old }
      state.lastNumber += 1
      joined.renew(state.lastNumber, knownAt: new)
      for batch in compared { joined.add(batch) }
      state.batches.append(joined)
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// Takes all reads out, as ``take(_:)`` does.
  func takeAll() -> [TrackedRead] {
    // Released after the lock.
    let batches = state.withLock { state in
      defer { state.batches = [] }
      return state.batches
    }
    return batches.flatMap(\.reads)
  }

  /// Takes reads out, for those who track them to be told: who reads the same from now on is another.
  ///
  /// - Returns: those that nobody else has taken.
  func take(_ reads: [TrackedRead]) -> [TrackedRead] {
    var emptied: [TrackedReadBatch] = []
    let taken = state.withLock { state in
      reads.filter { state.remove($0.key, ObjectIdentifier($0), &emptied) }
    }
    withExtendedLifetime(emptied) {}
    return taken
  }
}
