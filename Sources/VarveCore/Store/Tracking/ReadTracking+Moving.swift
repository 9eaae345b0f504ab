import Dispatch
import Observation
import Synchronization
import VarveEncoding
import VarveStorage

/// Moving the view, and notifying the observers of differing reads before and after the move.
extension ReadTracking {
  /// Moves the view to a version, unless it is there already or at a later one.
  ///
  /// The observers of differing reads are called on the calling thread, before the move. They may
  /// read, which returns the old version unless yet another thread moves the view. They may also
  /// write, and move the view themselves.
  ///
  /// No change may be lost in these interleavings:
  ///
  ///     reader                              mover
  ///     enters the read into the table
  ///                                         finds what differs and notifies its observers
  ///                                         moves the view
  ///                                         finds what was entered since, and notifies again
  ///     reads the old version
  ///
  ///     reader, in a scope                  mover
  ///     enters the read, reads
  ///                                         notifies: no tracker is registered yet
  ///                                         moves the view
  ///     the scope ends: registers
  ///
  /// In the second one the read stays alive, because the scope retains it. Therefore a read that
  /// stays alive after its notification is notified again later, until it is deallocated.
  ///
  /// - Returns: Whether the view moved.
  /// - Complexity: That of `MovingSnapshot.advance(to:)`, and of the changes in the classes of the
  ///   tracked reads. The number of tracked reads has no effect, except for results.
  func advance(to new: Snapshot) -> Bool {
    hold()
    defer { release() }
    var notified: [WeakRead] = []
    let hasMoved = advance(to: new, &notified)
    renotify(notified, after: .milliseconds(1))
    return hasMoved
  }

  private func advance(to new: Snapshot, _ notified: inout [WeakRead]) -> Bool {
    var differing: [TrackedRead] = []
    var hasMoved = false
    while !hasMoved {
      let old = moving.retained()
      guard old.transactionID < new.transactionID else { break }
      let found = compare(to: new)
      for read in found.differing { registrar.willSet(self, keyPath: path(of: read)) }
      differing += found.differing
      hasMoved = moving.replace(old, with: new)
      if hasMoved { table.note(found.batches, comparedAt: new) }
    }
    for read in differing { registrar.didSet(self, keyPath: path(of: read)) }
    while hasMoved {
      // Reads entered meanwhile, and reads that another mover has compared up to a version before
      // this one.
      let late = compare(to: new)
      if late.batches.isEmpty { break }
      table.note(late.batches, comparedAt: new)
      for read in late.differing { notify(read) }
      differing += late.differing
    }
    notified = differing.map(WeakRead.init)
    return hasMoved
  }

  /// Notifies the observers of all tracked reads before and after the view is invalidated.
  ///
  /// - Parameter end: Invalidates everything that was read.
  /// - Complexity: O(tracked reads).
  func invalidate(_ end: () -> Void) {
    hold()
    defer { release() }
    var notified = table.takeAll()
    for read in notified { registrar.willSet(self, keyPath: path(of: read)) }
    end()
    for read in notified { registrar.didSet(self, keyPath: path(of: read)) }
    // Reads entered meanwhile.
    let late = table.takeAll()
    for read in late { notify(read) }
    notified += late
    renotify(notified.map(WeakRead.init), after: .milliseconds(1))
  }

  /// Compares the reads that were not compared up to a version yet.
  ///
  /// - Returns: The reads that differ in it, which are removed from the table, and the batches that
  ///   contained them.
  private func compare(to new: Snapshot) -> (differing: [TrackedRead], batches: [Int]) {
    var differing: [TrackedRead] = []
    let batches = table.beginComparing(to: new)
    for batch in batches {
      let difference = store.differences.difference(from: batch.base, to: new, in: store)
      for model in batch.models { differing += differingReads(of: model, batch.number, difference) }
      differing += batch.results.filter { differs($0, difference) }
    }
    return (table.take(differing), batches.map(\.number))
  }

  /// Returns the reads of a class that differ.
  private func differingReads(
    of model: ClassDescription, _ batch: Int, _ difference: VersionDifference
  ) -> [TrackedRead] {
    guard let schema = difference.schema.schema(named: model.name) else { return [] }
    do throws(Failure) {
      let changes = try difference.objects(ofClass: schema.id)
      if changes.isEmpty { return [] }
      return table.reads(of: model, in: batch, touchedBy: changes, schema.primaryKey?.id)
        .filter { differs($0, difference) }
    } catch {
      // Handled as in `differs`.
      store.reportWhileObserving(error)
      return table.reads(of: model, in: batch, touchedBy: nil, nil)
    }
  }

  private func differs(_ read: TrackedRead, _ difference: VersionDifference) -> Bool {
    do throws(Failure) {
      let differs = try read.content.differs(read.key, difference, store)
      // Unreadable objects appear to be missing.
      try store.checkSound()
      return differs
    } catch {
      // The observers of a read that cannot be compared read it again.
      store.reportWhileObserving(error)
      return true
    }
  }

  private func notify(_ read: TrackedRead) {
    registrar.willSet(self, keyPath: path(of: read))
    registrar.didSet(self, keyPath: path(of: read))
  }

  // MARK: Notifying again

  /// The longest pause before reads are notified again whose observers were not registered yet.
  private static let longestPause = Duration.seconds(1)

  /// Notifies again the reads that are still alive: a scope that had not ended yet has read them.
  private func renotify(_ notified: [WeakRead], after pause: Duration) {
    let living = notified.filter { $0.read != nil }
    guard !living.isEmpty else { return }
    let time = DispatchTimeInterval.milliseconds(Int(pause / .milliseconds(1)))
    // Nothing is moved here: a callback that blocks delays no other view.
    DispatchQueue.global().asyncAfter(deadline: .now() + time) { [weak self] in
      guard let self else { return }
      for weak in living { if let read = weak.read { notify(read) } }
      renotify(living, after: min(pause * 2, ReadTracking.longestPause))
    }
  }
}

/// A weak reference to a read that was notified.
private struct WeakRead: Sendable {
  weak let read: TrackedRead?

  init(_ read: TrackedRead) { self.read = read }
}
