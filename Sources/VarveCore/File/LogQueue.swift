import Dispatch
import Logging
import VarveLocks

/// The log messages that wait for another thread to log them, in the order of their events.
///
/// One source of events runs them. A job of a queue for each message would leave a block of memory
/// behind, which libdispatch keeps for the next job of the other thread: after the opening of many
/// stores, these blocks lie between the memory of all stores, of which none could be given back.
///
/// Thread safety: any thread may add a message.
final class LogQueue: Sendable {
  static let shared = LogQueue()

  private struct Message {
    let logger: Logger
    let level: Logger.Level
    let text: String
    let metadata: Logger.Metadata
  }

  /// Guards the messages.
  private let waiting = Lock<[Message]>([])
  // Safe because any thread may use a source; its handler is set before it is activated.
  nonisolated(unsafe) private let source = DispatchSource.makeUserDataOrSource(
    queue: .global(qos: .utility))

  private init() {
    source.setEventHandler { [self] in logWaiting() }
    source.activate()
  }

  /// Adds a message, and returns before it is logged.
  func add(_ logger: Logger, _ level: Logger.Level, _ text: String, _ metadata: Logger.Metadata) {
    waiting.withLock {
      $0.append(Message(logger: logger, level: level, text: text, metadata: metadata))
    }
    source.or(data: 1)
  }

  private func logWaiting() {
    let messages = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for message in messages {
      message.logger.log(
        level: message.level, "\(message.text)", metadata: message.metadata)
    }
  }
}
