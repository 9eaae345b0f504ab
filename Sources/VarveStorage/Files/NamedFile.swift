import CVarve
import Glibc
import Synchronization

/// A file that a path denotes, and which may be replaced or removed.
///
/// A look-up of the path takes the system three times as long as the status of a descriptor, in
/// which a file that was removed has no link, and a file that was renamed another time of change.
/// The path is therefore looked up only if the time of change differs from the last look-up, or a
/// tenth of a second has passed since. The latter finds a directory that was renamed.
///
/// The descriptor is opened with `O_PATH`: closing it releases no locks, while “close() drops all
/// locks of the process on the file” holds for others.
///
/// Thread safety: any thread.
final class NamedFile: Sendable {
  let path: String
  private let identity: FileIdentity
  /// -1 if the file could not be opened: each check then looks the path up.
  private let descriptor: Int32
  /// The time of change at the last look-up that found the file, in nanoseconds.
  private let changeTime = Atomic<Int64>(.min)
  /// The time of that look-up, by the monotonic clock.
  private let lookUpTime = Atomic<Int64>(.min)

  /// The interval of the look-ups of a file that does not change.
  private static let interval: Int64 = 100_000_000
  /// The longest tick of the clock of file times: a change in the same tick as an earlier one has
  /// the same time.
  private static let tick: Int64 = 20_000_000

  init(path: String, _ identity: FileIdentity) {
    self.path = path
    self.identity = identity
    descriptor = varve_open_path(path)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Whether the path still denotes the file.
  ///
  /// - Complexity: One system call, or two.
  var isCurrent: Bool {
    let change = linkedFileChange
    let now = Self.time(CLOCK_MONOTONIC_COARSE)
    if let change, change == changeTime.load(ordering: .relaxed),
      now &- lookUpTime.load(ordering: .relaxed) < Self.interval
    {
      return true
    }
    guard FileIdentity(path: path) == identity else { return false }
    // The time from before the look-up: a later change has another one, unless the clock has not
    // ticked.
    if let change, Self.time(CLOCK_REALTIME_COARSE) &- change > Self.tick {
      changeTime.store(change, ordering: .relaxed)
      lookUpTime.store(now, ordering: .relaxed)
    }
    return true
  }

  /// The time of the last change of the open file; nil if it has no link, or is another file.
  private var linkedFileChange: Int64? {
    var file = stat()
    guard descriptor >= 0, fstat(descriptor, &file) == 0, file.st_nlink > 0,
      FileIdentity(file) == identity
    else { return nil }
    return Self.nanoseconds(file.st_ctim)
  }

  private static func time(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return nanoseconds(time)
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}
