import Synchronization
import VarveStorage

extension View {
  /// Invalidates, for ever, everything that was reached from the view, and lets go of its version. Another view takes
  /// its place, at the newest version. Nothing happens to a view that was invalidated before.
  ///
  /// - Throws: why there is no other view; nothing is then invalidated.
  package func invalidate() throws(Failure) {
    let new = try makeSuccessor()
    let apart = try store.replacedViews.snapshot(of: store, since: pin.moving.retained())
    guard succeed(by: new) else { return }
    func end() {
      pin.invalidation.store(true, ordering: .releasing)
      moveApart(apart)
    }
    if let tracking = pin.tracking { tracking.invalidate(end) } else { end() }
    // A write that this view takes part in moves the new one at its end. One that has just ended did not see it.
    if store.writingThread.load(ordering: .sequentiallyConsistent) != 0 {
      store.replacedViews.add(pin, successor: new.pin)
    }
    do throws(Failure) {
      _ = new.pin.advance(to: try store.newestSnapshot())
    } catch {
      // The new view stays at the version that it was made with.
    }
  }

  /// Moves the invalidated view to a snapshot that no live view reads, of no earlier version: whoever moves it on later
  /// then moves it to a snapshot that no handle of it has read.
  private func moveApart(_ apart: Snapshot) {
    var apart = apart
    while true {
      let old = pin.moving.retained()
      if old.transactionID > apart.transactionID {
        // Somebody has moved the view in between.
        apart = (try? store.replacedViews.snapshot(of: store, since: old)) ?? apart
      }
      if pin.moving.replace(old, with: apart) { return }
    }
  }

  private func makeSuccessor() throws(Failure) -> View {
    let new = try store.makeView(
      refreshedAt: refresher?.place, isTracking: pin.tracking != nil)
    if !followsCommits { new.followsCommits = false }
    return new
  }

  /// Puts another view in the place of this one.
  ///
  /// - Returns: whether it is the first one.
  private func succeed(by new: View) -> Bool {
    succession.withLock { place in
      let succession: Succession
      switch place {
      case .none: succession = Succession()
      case .current(let reference): succession = reference.succession ?? Succession()
      case .replaced: return false
      }
      new.succession.withLock { $0 = .current(Succession.Reference(succession)) }
      succession.setCurrent(new)
      place = .replaced(succession)
      return true
    }
  }

  /// The view that is in use in the place of this one.
  ///
  /// - Complexity: O(1).
  var current: View {
    let succession = self.succession.withLock { place -> Succession? in
      if case .replaced(let succession) = place { succession } else { nil }
    }
    return succession?.current ?? self
  }
}

/// Views that took the places of each other, of which the last one is in use.
///
/// The replaced views hold it, and it holds the last one: a handle to a view that was replaced long ago keeps none of
/// those between.
///
/// Thread safety: a lock guards the view.
final class Succession: Sendable {
  /// The place of a view.
  enum Place {
    /// It was not invalidated, nor did it take the place of another one.
    case none
    case current(Reference)
    case replaced(Succession)
  }

  /// A reference that does not hold: the last view is held by the succession.
  final class Reference: @unchecked Sendable {
    // Safe because it never changes but to nil, which is atomic.
    private(set) weak var succession: Succession?
    init(_ succession: Succession) { self.succession = succession }
  }

  /// Guards the view in use.
  private let view = Mutex<View?>(nil)

  var current: View? { view.withLock { $0 } }

  func setCurrent(_ new: View) {
    // The view before is released after the lock.
    let old = view.withLock { view in
      defer { view = new }
      return view
    }
    withExtendedLifetime(old) {}
  }
}

/// Views that were invalidated while a write ran, with those that took their places.
///
/// Thread safety: any thread may add views; whoever ends a write takes them.
final class ReplacedViews: Sendable {
  private struct Replaced {
    let pin: ViewPin
    let successor: ViewPin
  }
  /// Guards the views.
  private let views = Mutex<[Replaced]>([])
  private let isEmpty = Atomic<Bool>(true)
  /// Guards the snapshot that invalidated views were moved to last, as long as one holds it.
  private let snapshot = Mutex<WeakSnapshot>(WeakSnapshot())

  private struct WeakSnapshot {
    weak var snapshot: Snapshot?
  }

  /// The snapshot for a view that is invalidated: no live view reads it, so that handles, which know what they read by
  /// its serial number, find another one.
  ///
  /// - Parameters:
  ///   - store: the store.
  ///   - old: what the view reads.
  /// - Returns: a snapshot of the same version or a later one, to which all invalidated views have moved.
  /// - Throws: why there is no snapshot.
  /// - Complexity: O(views) when there is none that is new enough.
  func snapshot(of store: Store, since old: Snapshot) throws(Failure) -> Snapshot {
    // A newer version than needed would be no better, and cost a reader slot.
    if let shared = snapshot.withLock({ $0.snapshot }),
      shared.transactionID >= old.transactionID
    {
      return shared
    }
    let new = try Failure.translating(try store.environment.separateSnapshot())
    snapshot.withLock { $0.snapshot = new }
    // All share one, or each version would stay for as long as a handle is held.
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

  /// Takes all views out.
  ///
  /// - Returns: the successors of those that took part in a transaction, directly or through others.
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
      // It may take part itself.
      guard successor.lastTransaction.load(ordering: .relaxed) != serial else { continue }
      successor.lastTransaction.store(serial, ordering: .relaxed)
      successor.tracking?.hold()
      successors.append(successor)
    }
    return successors
  }
}

extension ReadContext {
  /// This context, or one of the view that took the place of its view.
  package var current: ReadContext {
    guard let view, _slowPath(view.pin.isInvalidated) else { return self }
    return ReadContext(view: view.current)
  }
}
