import Dispatch
import Foundation

/// A request to end the process, made by SIGINT or SIGTERM.
///
/// It is a pipe that becomes readable then, and stays readable: any number of threads can wait for
/// it together with other descriptors. A signal that comes a second later or more ends the process at
/// once; programs such as `timeout` send each signal twice.
///
/// Thread safety: any thread may use it.
final class StopRequest: Sendable {
  /// Becomes readable when the process is to end.
  let descriptor: Int32
  private let writeEnd: Int32
  // Safe because they are only created and cancelled.
  nonisolated(unsafe) private let sources: [any DispatchSourceSignal]

  /// Begins to catch the signals, for the rest of the process's life.
  ///
  /// - Throws: ``ToolError`` when no pipe can be created.
  init() throws(ToolError) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else {
      throw ToolError("The signals cannot be caught.\n  \(String(cString: strerror(errno)))")
    }
    (descriptor, writeEnd) = (ends[0], ends[1])
    sources = [SIGINT, SIGTERM].map { [writeEnd] number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        _ = write(writeEnd, "\n", 1)
        DispatchQueue.global().asyncAfter(deadline: .now() + 1) { signal(number, SIG_DFL) }
      }
      source.resume()
      return source
    }
  }

  deinit {
    for source in sources { source.cancel() }
    close(descriptor)
    close(writeEnd)
  }

  /// Whether the request has been made.
  var isMade: Bool {
    var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&state, 1, 0) > 0
  }

  /// Requests the end, as a signal does.
  func stop() { _ = write(writeEnd, "\n", 1) }
}
