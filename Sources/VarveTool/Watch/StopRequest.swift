import Dispatch
import Foundation

/// Tells that the process was asked to end, by SIGINT or SIGTERM.
///
/// A pipe that becomes readable then, and stays so: any number of threads can wait for it beside something else.
///
/// Thread safety: any thread may use it.
final class StopRequest: Sendable {
  /// Readable as soon as the process is to end.
  let descriptor: Int32
  private let writeEnd: Int32
  // Safe because they are only made and cancelled.
  nonisolated(unsafe) private let sources: [any DispatchSourceSignal]

  /// Begins to catch the signals, for the rest of the process's life.
  ///
  /// - Throws: ``ToolError`` when no pipe can be made.
  init() throws(ToolError) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else {
      throw ToolError("The signals cannot be caught.\n  \(String(cString: strerror(errno)))")
    }
    (descriptor, writeEnd) = (ends[0], ends[1])
    sources = [SIGINT, SIGTERM].map { [writeEnd] number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { _ = write(writeEnd, "\n", 1) }
      source.resume()
      return source
    }
  }

  deinit {
    for source in sources { source.cancel() }
    close(descriptor)
    close(writeEnd)
  }

  /// Asks for the end as a signal does.
  func stop() { _ = write(writeEnd, "\n", 1) }
}
