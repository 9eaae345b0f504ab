import Foundation
import Hummingbird
import Logging
import ServiceLifecycle
import Varve

/// `GET /events`: the changes of the tasks, by all processes, as server-sent events.
///
/// The stream begins with the event `ready`. Then each commit sends an event `created`, `changed` or
/// `deleted` for each task that it changed; several commits may be sent as one. After an end of the
/// stream, a client reads the tasks again.
struct EventRoutes {
  let configuration: Realm.Configuration
  /// The time between two comments in a stream, which keep proxies from ending a quiet one.
  let heartbeat: Duration
  /// The events that wait for a slow client. With more, its stream ends: each event that waits would
  /// otherwise need memory for as long as the client does not read.
  private let maximumWaiting = 1024

  func add(to router: Router<BasicRequestContext>) {
    router.get("events", use: events)
  }

  @Sendable private func events(
    _ request: Request, _ context: BasicRequestContext
  ) throws -> Response {
    let realm = try Realm(configuration: configuration)
    return Response(
      status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-cache"],
      body: ResponseBody { writer in
        // Ends when the client leaves, and when the server shuts down.
        try await request.body.consumeWithCancellationOnInboundClose { _ in
          for await event in events(of: realm, context.logger).cancelOnGracefulShutdown() {
            try await writer.write(event)
          }
        }
        try await writer.finish(nil)
      })
  }

  /// Returns the events after the version that a realm reads.
  private func events(of realm: Realm, _ logger: Logger) -> AsyncStream<ByteBuffer> {
    let (events, continuation) = AsyncStream<ByteBuffer>.makeStream(
      bufferingPolicy: .bufferingOldest(maximumWaiting))
    let task = Task {
      defer { continuation.finish() }
      do {
        var before = realm.freeze()
        continuation.yield(ByteBuffer(string: "event: ready\ndata:\n\n"))
        for await now in realm.changes {
          for event in try Self.events(from: before, to: now) {
            if case .dropped = continuation.yield(event) { return }
          }
          before = now
        }
      } catch {
        logger.error("A stream of events ended.", metadata: ["error": "\(error)"])
      }
    }
    let beating = Task {
      while true {
        try await Task.sleep(for: heartbeat)
        continuation.yield(ByteBuffer(string: ":\n\n"))
      }
    }
    continuation.onTermination = { _ in
      task.cancel()
      beating.cancel()
    }
    return events
  }

  private static func events(from before: Realm, to now: Realm) throws -> [ByteBuffer] {
    let changes = try now.changes(since: before).objects(TaskItem.self)
    return try changes.insertions.map { try event("created", TaskJSON($0)) }
      + changes.modifications.map { try event("changed", TaskJSON($0.new)) }
      + changes.deletions.map { try event("deleted", ["id": $0.id]) }
  }

  private static func event(_ name: String, _ data: some Encodable) throws -> ByteBuffer {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    let json = String(decoding: try encoder.encode(data), as: UTF8.self)
    return ByteBuffer(string: "event: \(name)\ndata: \(json)\n\n")
  }
}
