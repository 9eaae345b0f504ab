import Synchronization
import Tracing

/// A tracing backend in memory.
final class RecordingTracer: Tracer {
  private let ended = Mutex<[RecordedSpan]>([])

  /// The spans that have ended, in the order of their ends.
  var spans: [RecordedSpan] { ended.withLock { $0 } }

  func startSpan<Instant: TracerInstant>(
    _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
    at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
  ) -> RecordedSpan {
    RecordedSpan(operationName, parent: context()) { span in
      self.ended.withLock { $0.append(span) }
    }
  }

  func forceFlush() {}
  func inject<Carrier, Inject: Injector>(
    _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
  ) where Inject.Carrier == Carrier {}
  func extract<Carrier, Extract: Extractor>(
    _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
  ) where Extract.Carrier == Carrier {}
}

/// A span in memory.
final class RecordedSpan: Span {
  private struct State {
    var operationName: String
    var attributes: SpanAttributes = [:]
    var events: [String] = []
    var errors: [String] = []
    var status: SpanStatus?
    var hasEnded = false
  }
  private let state: Mutex<State>
  private let onEnd: @Sendable (RecordedSpan) -> Void
  let context: ServiceContext
  /// The name of the parent span.
  let parent: String?

  init(
    _ operationName: String, parent: ServiceContext,
    onEnd: @escaping @Sendable (RecordedSpan) -> Void
  ) {
    state = Mutex(State(operationName: operationName))
    self.parent = parent[SpanName.self]
    var context = parent
    context[SpanName.self] = operationName
    self.context = context
    self.onEnd = onEnd
  }

  var operationName: String {
    get { state.withLock { $0.operationName } }
    set { state.withLock { $0.operationName = newValue } }
  }
  var attributes: SpanAttributes {
    get { state.withLock { $0.attributes } }
    set { state.withLock { $0.attributes = newValue } }
  }
  var isRecording: Bool { state.withLock { !$0.hasEnded } }
  var events: [String] { state.withLock { $0.events } }
  var errors: [String] { state.withLock { $0.errors } }

  func setStatus(_ status: SpanStatus) { state.withLock { $0.status = status } }
  func addEvent(_ event: SpanEvent) { state.withLock { $0.events.append(event.name) } }
  func addLink(_ link: SpanLink) {}
  func recordError<Instant: TracerInstant>(
    _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
  ) { state.withLock { $0.errors.append("\(error)") } }
  func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
    state.withLock { $0.hasEnded = true }
    onEnd(self)
  }

  private enum SpanName: ServiceContextKey { typealias Value = String }
}
