import Foundation

/// A pipe, terminal or file, written by a process that must not wait for its reader too long.
///
/// Thread safety: a value; use one from one thread at a time.
struct WatchOutput {
  enum Outcome: Equatable {
    case written
    /// The reader did not accept the text in time; the rest is kept.
    case late
    /// The output is closed, or the process is to end.
    case ended
  }

  /// The room of a pipe that is ready for writing, in bytes.
  private static let chunkSize = 4096

  private let descriptor: Int32
  private let stop: StopRequest
  private var pending: [UInt8] = []

  /// - Parameters:
  ///   - stop: The request that ends the waiting.
  init(_ descriptor: Int32, stop: StopRequest) {
    self.descriptor = Self.unblocked(descriptor)
    self.stop = stop
  }

  /// Returns a descriptor of a terminal whose writes do not wait. Only a pipe that is ready accepts a
  /// whole chunk. The given descriptor must not be changed: other processes share its flags.
  private static func unblocked(_ descriptor: Int32) -> Int32 {
    guard isatty(descriptor) == 1 else { return descriptor }
    let own = open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    return own < 0 ? descriptor : own
  }

  /// The number of bytes that are not written yet.
  var pendingCount: Int { pending.count }

  /// Buffers text until it is flushed.
  mutating func append(_ text: String) { pending += text.utf8 }

  /// Writes all pending text.
  ///
  /// - Parameters:
  ///   - interval: The interval at which `isPatient` is called.
  ///   - isPatient: A closure that returns whether to continue waiting.
  /// - Returns: The outcome.
  /// - Throws: ``ToolError`` when a write fails, for example on a full disk.
  mutating func flush(
    asking interval: Duration = .seconds(1), _ isPatient: () throws -> Bool
  ) throws -> Outcome {
    var sent = 0
    defer { pending.removeFirst(sent) }
    while sent < pending.count {
      switch Self.wait(for: descriptor, Int16(POLLOUT), or: stop, timeout: interval) {
      case .ended: return .ended
      case .timeout:
        guard try isPatient() else { return .late }
      case .ready:
        let count = pending[sent...].prefix(Self.chunkSize).withUnsafeBytes {
          let sent = send(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
          return sent < 0 && errno == ENOTSOCK
            ? Foundation.write(descriptor, $0.baseAddress, $0.count) : sent
        }
        if count >= 0 {
          sent += count
        } else if errno == EPIPE {
          return .ended
        } else if errno == EAGAIN {
          // A terminal that is stopped may be ready nevertheless.
          usleep(10_000)
          guard try isPatient() else { return .late }
        } else if errno != EINTR {
          throw ToolError("The output cannot be written.\n  \(String(cString: strerror(errno)))")
        }
      }
    }
    return .written
  }

  /// Waits until the output is closed, or the process is to end.
  func waitForEnd() {
    while Self.wait(for: descriptor, 0, or: stop, timeout: nil) != .ended {}
  }

  /// Whether the output is closed, or the process is to end.
  var hasEnded: Bool {
    Self.wait(for: descriptor, 0, or: stop, timeout: .zero) == .ended
  }

  private enum Event { case ready, timeout, ended }

  private static func wait(
    for descriptor: Int32, _ events: Int16, or stop: StopRequest, timeout: Duration?
  ) -> Event {
    var polled = [
      pollfd(fd: descriptor, events: events, revents: 0),
      pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    let milliseconds = timeout.map { Int32(clamping: Int($0 / .milliseconds(1))) } ?? -1
    let count = poll(&polled, nfds_t(polled.count), milliseconds)
    if count == 0 { return .timeout }
    // Interrupted by a signal: the next iteration finds out more.
    if count < 0 { return events == 0 ? .timeout : .ready }
    let isGone = polled[0].revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0
    return isGone || polled[1].revents != 0 ? .ended : .ready
  }
}
