import Dispatch
import Synchronization

/// Blocks threads until they are released.
package final class Turnstile: Sendable {
  private let count = Atomic<Int>(0)
  private let end = DispatchSemaphore(value: 0)

  package init() {}

  /// The number of threads that have arrived.
  package var reached: Int { count.load(ordering: .acquiring) }

  /// Arrives at the turnstile, and waits to be released.
  package func pass() {
    count.add(1, ordering: .acquiringAndReleasing)
    end.wait()
  }

  /// Releases `count` threads, which wait already or arrive later.
  package func open(_ count: Int) {
    for _ in 0..<count { end.signal() }
  }
}
