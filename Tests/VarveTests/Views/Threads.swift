import Foundation
import Synchronization
import Testing

/// Runs a body on several new threads, and waits for all.
///
/// These are threads, not tasks: the task pool may have a single thread, and would then show no
/// race.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) {
  let ended = DispatchSemaphore(value: 0)
  for number in 0..<count {
    Thread.detachNewThread {
      do {
        try body(number)
      } catch {
        Issue.record(error)
      }
      ended.signal()
    }
  }
  for _ in 0..<count { ended.wait() }
}

/// Whether `make soak` runs the tests: races then run longer.
let isSoak = ProcessInfo.processInfo.environment["VARVE_SOAK_COMMITS"] != nil

/// A shared counter, also used as a flag.
final class Progress: Sendable {
  private let number = Atomic<Int>(0)

  var count: Int { number.load(ordering: .sequentiallyConsistent) }
  func add() { number.add(1, ordering: .sequentiallyConsistent) }
}
