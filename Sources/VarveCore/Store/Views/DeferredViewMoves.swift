import Dispatch
import VarveStorage

/// Moves of views that track reads, to the version that a transaction ended with.
///
/// They have others called, who may write. So they wait until the transaction holds nothing any more. Each view
/// is held since it joined the transaction: see `ReadTracking.hold()`.
struct DeferredViewMoves: Sendable {
  private var pins: [ViewPin] = []
  private var snapshot: Snapshot?

  init() {}

  init(_ pins: [ViewPin], to snapshot: Snapshot) {
    guard !pins.isEmpty else { return }
    self.pins = pins
    self.snapshot = snapshot
  }

  /// Moves the views, and calls, on this thread.
  func run() {
    guard let snapshot else { return }
    for pin in pins {
      _ = pin.advance(to: snapshot)
      pin.tracking?.release()
    }
  }

  /// Moves the views on some other thread, and then calls `end`; where there are none it is called at once.
  ///
  /// The writer thread must not wait for those who are called: they may wait for it.
  func runElsewhere(_ end: @escaping @Sendable () -> Void = {}) {
    guard snapshot != nil else { return end() }
    DispatchQueue.global().async {
      run()
      end()
    }
  }
}
