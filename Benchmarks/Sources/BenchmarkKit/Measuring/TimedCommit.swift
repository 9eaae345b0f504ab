import Foundation

/// A clock that all processes of the machine share.
package enum SharedClock {
  /// Seconds since some moment before the machine was started.
  package static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// When a commit was made, by ``SharedClock``.
package struct TimedCommit: Codable, Sendable {
  package var began: Double
  package var returned: Double

  /// From the return of the commit to a call that has it; 0 for one that came before the return.
  func latency(ofCallAt time: Double) -> Double { max(0, time - returned) }

  package init(began: Double, returned: Double) {
    self.began = began
    self.returned = returned
  }
}
