import Synchronization
import VarveLocks
import VarveStorage

extension View {
  /// Permanently invalidates everything that was reached from the view, and releases its version.
  /// Another view at the newest version replaces it. Does nothing when the view is already
  /// invalidated.
  ///
  /// - Throws: The error of making the other view; nothing is then invalidated.
  package func invalidate() throws(Failure) {
    let new = try makeSuccessor()
    let apart = try store.replacedViews.snapshot(of: store, since: pin.moving.retained())
    guard succeed(by: new) else { return }
    func end() {
      pin.invalidation.store(true, ordering: .releasing)
      moveApart(apart)
    }
    if let tracking = pin.tracking { tracking.invalidate(end) } else { end() }
    // A write that this view takes part in moves the new view at its end. A write that has just
    // ended has not seen the new view, which is therefore moved below.
    if store.writingThread.load(ordering: .sequentiallyConsistent) != 0 {
      store.replacedViews.add(pin, successor: new.pin)
    }
    do throws(Failure) {
      _ = new.pin.advance(to: try store.newestSnapshot())
    } catch {
      // The new view stays at its initial version.
    }
  }

  /// Moves the invalidated view to a snapshot, of the same or a later version, that no live view
  /// reads. A later mover then moves the view to a snapshot that none of its handles has read.
  private func moveApart(_ apart: Snapshot) {
    var apart = apart
    while true {
      let old = pin.moving.retained()
      if old.transactionID > apart.transactionID {
        // Another thread has moved the view in between.
        apart = (try? store.replacedViews.snapshot(of: store, since: old)) ?? apart
      }
      if pin.moving.replace(old, with: apart) { return }
    }
  }

  private func makeSuccessor() throws(Failure) -> View {
    let new = try store.makeView(
      refreshedAt: refresher?.executor, isTracking: pin.tracking != nil)
    if !followsCommits { new.followsCommits = false }
    return new
  }

  /// Replaces this view by another one.
  ///
  /// - Returns: Whether the view was not replaced before.
  private func succeed(by new: View) -> Bool {
    succession.withLock { state in
      let succession: Succession
      switch state {
      case .none: succession = Succession()
      case .current(let reference): succession = reference.succession ?? Succession()
      case .replaced: return false
      }
      new.succession.withLock { $0 = .current(Succession.Reference(succession)) }
      succession.setCurrent(new)
      state = .replaced(succession)
      return true
    }
  }

  /// The view that replaces this one, or this view.
  ///
  /// - Complexity: O(1).
  var current: View {
    let succession = self.succession.withLock { state -> Succession? in
      if case .replaced(let succession) = state { succession } else { nil }
    }
    return succession?.current ?? self
  }
}

/// A chain of views that replaced each other, of which the last one is in use.
///
/// The replaced views own the succession, and it owns the last view. A handle to a view that was
/// replaced long ago therefore retains none of the views in between.
///
/// Thread safety: a lock guards the view.
final class Succession: Sendable {
  /// The state of a view in a succession.
  enum State {
    /// The view was not replaced and does not replace another one.
    case none
    case current(Reference)
    case replaced(Succession)
  }

  /// A weak reference: the succession owns the last view.
  final class Reference: @unchecked Sendable {
    // Safe because it only ever changes to nil, which is atomic.
    private(set) weak var succession: Succession?
    init(_ succession: Succession) { self.succession = succession }
  }

  /// Guards the view in use.
  private let view = Lock<View?>(nil)

  var current: View? { view.withLock { $0 } }

  func setCurrent(_ new: View) {
    // The previous view is released after the lock.
    let old = view.withLock { view in
      defer { view = new }
      return view
    }
    withExtendedLifetime(old) {}
  }
}

/// Views that were invalidated while a write ran, with their successors.
///
/// Thread safety: any thread may add views; the thread that ends a write takes them.
final class ReplacedViews: Sendable {
  private struct Replaced {
    let pin: ViewPin
    let successor: ViewPin
  }
  /// Guards the views.
  private let views = Lock<[Replaced]>([])
  private let isEmpty = Atomic<Bool>(true)
  /// Guards the snapshot that invalidated views were last moved to, which exists as long as one of
  /// them retains it.
  private let snapshot = Lock<WeakSnapshot>(WeakSnapshot())

  private struct WeakSnapshot {
    weak var snapshot: Snapshot?
  }

  /// Returns the snapshot for a view that is invalidated. No live view reads it: handles identify
  /// the version that they have read by its serial number, and so detect the change.
  ///
  /// - Parameters:
  ///   - store: The store of the view.
  ///   - old: The snapshot that the view reads.
  /// - Returns: A snapshot of the same or a later version, to which all invalidated views have
  ///   moved.
  /// - Throws: The error of making a snapshot.
  /// - Complexity: O(views) when no existing snapshot is new enough.
  func snapshot(of store: Store, since old: Snapshot) throws(Failure) -> Snapshot {
    // A newer version than necessary would have no advantage, and would cost a reader slot.
    if let shared = snapshot.withLock({ $0.snapshot }),
      shared.transactionID >= old.transactionID
    {
      return shared
    }
    let new = try Failure.translating(try store.environment.separateSnapshot())
    snapshot.withLock { $0.snapshot = new }
    // All invalidated views share one snapshot. Otherwise each version would stay pinned for as
    // long as a handle is retained.
    var replaced = RetiredReferences()
    for pin in store.views.all where pin.isInvalidated {
      replaced.add(pin.moving.advanced(to: new))
    }
    replaced.retire()
    return new
  }

  func add(_ pin: ViewPin, successor: ViewPin) {
    views.withLock { views in
      views.append(Replaced(pin: pin, successor: successor))
      isEmpty.store(false, ordering: .releasing)
    }
  }

  /// Removes all views.
  ///
  /// - Returns: The successors of the views that took part in a transaction, directly or through
  ///   others.
  func take(ofTransaction serial: UInt64) -> [ViewPin] {
    guard _slowPath(!isEmpty.load(ordering: .acquiring)) else { return [] }
    let replaced = views.withLock { views in
      isEmpty.store(true, ordering: .relaxed)
      defer { views = [] }
      return views
    }
    var successors: [ViewPin] = []
    for view in replaced where view.pin.lastTransaction.load(ordering: .relaxed) == serial {
      let successor = view.successor
      // The successor may take part itself.
      guard successor.lastTransaction.load(ordering: .relaxed) != serial else { continue }
      successor.lastTransaction.store(serial, ordering: .relaxed)
      successor.tracking?.hold()
      successors.append(successor)
    }
    return successors
  }
}

extension ReadContext {
  /// This context, or a context of the view that replaces its view.
  package var current: ReadContext {
    guard let view, _slowPath(view.pin.isInvalidated) else { return self }
    return ReadContext(view: view.current)
  }
}
