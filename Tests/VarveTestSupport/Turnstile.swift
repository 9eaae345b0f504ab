import Dispatch
import Synchronization

/// Holds threads up until they are let through.
package final class Turnstile: Sendable {
  private let count = Atomic<Int>(0)
  private let end = DispatchSemaphore(value: 0)

  package init() {}

  /// How many have come to the turnstile.
  package var reached: Int { count.load(ordering: .acquiring) }

  /// Comes to the turnstile, and waits there.
  package func pass() {
    count.add(1, ordering: .acquiringAndReleasing)
    end.wait()
  }

  /// Lets some through: those that wait, or those that come.
  package func open(_ count: Int) {
    for _ in 0..<count { end.signal() }
  }
}
