import Synchronization
import VarveStorage

extension View {
  /// Invalidates, for ever, everything that was reached from the view, and lets go of its version. Another view takes
  /// its place, at the newest version. Nothing happens to a view that was invalidated before.
  ///
  /// - Throws: why there is no other view; nothing is then invalidated.
  package func invalidate() throws(Failure) {
    let new = try makeSuccessor()
    // Handles know what they read by the serial number of its snapshot: this one has another.
    let apart: Snapshot
    do throws(StorageError) {
      apart = try store.environment.separateSnapshot()
    } catch {
      throw Failure(error)
    }
    let isFirst = successor.withLock { successor in
      guard successor == nil else { return false }
      successor = new
      return true
    }
    guard isFirst else { return }
    func end() {
      pin.isInvalidated.store(true, ordering: .releasing)
      pin.moving.move(to: apart)
    }
    if let tracking = pin.tracking { tracking.invalidate(end) } else { end() }
  }

  private func makeSuccessor() throws(Failure) -> View {
    let isTracking = pin.tracking != nil
    let new =
      if let place = refresher?.place {
        try store.makeView(refreshedAt: place, isTracking: isTracking)
      } else {
        try store.makeView(isTracking: isTracking)
      }
    if !followsCommits { new.followsCommits = false }
    return new
  }

  /// The view that is in use in the place of this one.
  ///
  /// - Complexity: O(1), but for the first call after others were invalidated that took its place.
  fileprivate var current: View {
    guard let next = successor.withLock({ $0 }) else { return self }
    guard next.pin.isVoid else { return next }
    // The views between are let go.
    let last = next.current
    successor.withLock { $0 = last }
    return last
  }
}

extension ReadContext {
  /// This context, or one of the view that took the place of its view.
  package var current: ReadContext {
    guard let view, _slowPath(view.pin.isVoid) else { return self }
    return ReadContext(view: view.current)
  }
}
