import Dispatch
import VarveStorage

/// Moves of views that track reads, to the version that a transaction ended with.
///
/// The moves call observers, which may write. They are therefore deferred until the transaction has
/// released all its resources. Each view is held from the time that it joins the transaction: see
/// `ReadTracking.hold()`.
struct DeferredViewMoves: Sendable {
  private var pins: [ViewPin] = []
  private var snapshot: Snapshot?

  init() {}

  init(_ pins: [ViewPin], to snapshot: Snapshot) {
    guard !pins.isEmpty else { return }
    self.pins = pins
    self.snapshot = snapshot
  }

  /// Moves the views and calls their observers, on this thread.
  func run() {
    guard let snapshot else { return }
    for pin in pins {
      _ = pin.advance(to: snapshot)
      pin.tracking?.release()
    }
  }

  /// Moves the views on another thread, and then calls `end`. Without views, `end` is called at
  /// once.
  ///
  /// The writer thread must not wait for the observers, which may wait for it.
  func runElsewhere(_ end: @escaping @Sendable () -> Void = {}) {
    guard snapshot != nil else { return end() }
    DispatchQueue.global().async {
      run()
      end()
    }
  }
}
