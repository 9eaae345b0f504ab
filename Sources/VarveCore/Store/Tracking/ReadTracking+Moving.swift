import Dispatch
import Observation
import Synchronization
import VarveEncoding
import VarveStorage

/// Moving the view, and telling those who track what differs: that it will, and that it did.
extension ReadTracking {
  /// Moves the view to a version, unless it is there already or at a later one.
  ///
  /// Those who track something are called on the calling thread, before the move. They may read, which gives
  /// the old version unless yet another thread moves the view, and write, and move the view themselves.
  ///
  /// The interleavings that must lose nothing:
  ///
  ///     reader                              mover
  ///     enters the read into the table
  ///                                         finds what differs and tells of it
  ///                                         moves the view
  ///                                         finds what was entered since, and tells of that too
  ///     reads the old version
  ///
  ///     reader, in a scope                  mover
  ///     enters the read, reads
  ///                                         tells of it: nobody is registered yet
  ///                                         moves the view
  ///     the scope ends: registers
  ///
  /// In the second one the read lives on, because the scope has it. So what was told of and lives is told of
  /// again later, until it ends.
  ///
  /// - Returns: whether the view moved.
  /// - Complexity: As `MovingSnapshot.advance(to:)`, and that of the changes in the classes of what is tracked. How
  ///   much is tracked does not count, but for results.
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
      if hasMoved { table.note(found.batches, knownAt: new) }
    }
    for read in differing { registrar.didSet(self, keyPath: path(of: read)) }
    while hasMoved {
      // What was read meanwhile, and what another mover has compared up to a version before this one.
      let late = compare(to: new)
      if late.batches.isEmpty { break }
      table.note(late.batches, knownAt: new)
      for read in late.differing { notify(read) }
      differing += late.differing
    }
    notified = differing.map(WeakRead.init)
    return hasMoved
  }

  /// Tells of everything that is tracked that it will end and has ended.
  ///
  /// - Parameter end: from then on nothing of what was read is valid.
  /// - Complexity: O(what is tracked).
  func invalidate(_ end: () -> Void) {
    hold()
    defer { release() }
    var notified = table.takeAll()
    for read in notified { registrar.willSet(self, keyPath: path(of: read)) }
    end()
    for read in notified { registrar.didSet(self, keyPath: path(of: read)) }
    // What was read meanwhile.
    let late = table.takeAll()
    for read in late { notify(read) }
    notified += late
    renotify(notified.map(WeakRead.init), after: .milliseconds(1))
  }

  /// Compares the reads that were not compared up to a version yet.
  ///
  /// - Returns: those that differ in it, which are taken out of the table, and the batches that they were in.
  private func compare(to new: Snapshot) -> (differing: [TrackedRead], batches: [Int]) {
    var differing: [TrackedRead] = []
    let batches = table.beginComparing(to: new)
    for batch in batches {
      let difference = store.differences.difference(from: batch.known, to: new, in: store)
      for model in batch.models { differing += differingReads(of: model, batch.number, difference) }
      differing += batch.results.filter { differs($0, difference) }
    }
    return (table.take(differing), batches.map(\.number))
  }

  /// The reads of a class that differ.
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
      // As in `differs`.
      store.reportWhileObserving(error)
      return table.reads(of: model, in: batch, touchedBy: nil, nil)
    }
  }

  private func differs(_ read: TrackedRead, _ difference: VersionDifference) -> Bool {
    do throws(Failure) {
      let differs = try read.content.differs(read.key, difference, store)
      // What cannot be read looks as if it were not there.
      try store.checkSound()
      return differs
    } catch {
      // What cannot be compared is read again by those who are told.
      store.reportWhileObserving(error)
      return true
    }
  }

  private func notify(_ read: TrackedRead) {
    registrar.willSet(self, keyPath: path(of: read))
    registrar.didSet(self, keyPath: path(of: read))
  }

  // MARK: Telling again

  /// The longest pause before those are told again who were not registered yet.
  private static let longestPause = Duration.seconds(1)

  /// Tells again of what lives on: a scope that was not at its end has read it.
  private func renotify(_ notified: [WeakRead], after pause: Duration) {
    let living = notified.filter { $0.read != nil }
    guard !living.isEmpty else { return }
    let time = DispatchTimeInterval.milliseconds(Int(pause / .milliseconds(1)))
    // Nothing is moved here: a callback that blocks delays nobody else.
    DispatchQueue.global().asyncAfter(deadline: .now() + time) { [weak self] in
      guard let self else { return }
      for weak in living { if let read = weak.read { notify(read) } }
      renotify(living, after: min(pause * 2, ReadTracking.longestPause))
    }
  }
}

/// A read that was told of.
private struct WeakRead: Sendable {
  weak let read: TrackedRead?

  init(_ read: TrackedRead) { self.read = read }
}
