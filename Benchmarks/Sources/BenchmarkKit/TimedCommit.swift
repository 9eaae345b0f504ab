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

  package init(began: Double, returned: Double) {
    self.began = began
    self.returned = returned
  }
}

/// What an observer heard: the number that was committed last, and when it was called.
package struct HeardNumber: Sendable {
  package var number: Int
  package var time: Double

  package init(number: Int, time: Double) {
    self.number = number
    self.time = time
  }
}

/// One comparison of two versions.
package struct ComparedVersions: Sendable {
  package var seconds: Double
  /// How many persons differ.
  package var differing: Int

  package init(seconds: Double, differing: Int) {
    self.seconds = seconds
    self.differing = differing
  }
}
