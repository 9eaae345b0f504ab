import Foundation

/// A clock shared by all processes of the machine.
package enum SharedClock {
  /// The seconds since a moment before the machine was started.
  package static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// The times of a commit, by ``SharedClock``.
package struct TimedCommit: Codable, Sendable {
  package var began: Double
  package var returned: Double

  /// The time from the return of the commit to a call that reports it; 0 for a call before the
  /// return.
  func latency(ofCallAt time: Double) -> Double { max(0, time - returned) }

  package init(began: Double, returned: Double) {
    self.began = began
    self.returned = returned
  }
}
