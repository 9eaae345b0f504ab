import Logging
import VarveTestSupport

/// Records log messages with their metadata.
final class RecordedLog: Sendable {
  let lines = EventRecorder<String>()
  let logger: Logger

  init(level: Logger.Level = .trace) {
    var logger = Logger(label: "test") { [lines] _ in Handler(lines: lines) }
    logger.logLevel = level
    self.logger = logger
  }

  private struct Handler: LogHandler {
    let lines: EventRecorder<String>
    var logLevel = Logger.Level.trace
    var metadata = Logger.Metadata()

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let all = metadata.merging(event.metadata ?? [:]) { $1 }
      lines.note("\(event.level) \(event.message) \(all.map { "\($0)=\($1)" }.sorted())")
    }
  }
}
