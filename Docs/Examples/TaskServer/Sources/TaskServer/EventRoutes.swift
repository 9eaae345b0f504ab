import Foundation
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization
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
  /// The bytes of events that may wait for a client, beside those of one commit. With more, its
  /// connection is closed: events that wait need memory for as long as the client does not read.
  private let maximumWaiting = 1 << 20

  func add(to router: Router<ServerContext>) {
    router.get("events", use: events)
  }

  @Sendable private func events(
    _ request: Request, _ context: ServerContext
  ) throws -> Response {
    let realm = try Realm(configuration: configuration)
    return Response(
      status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-cache"],
      body: ResponseBody { writer in
        // Ends when the client leaves, and when the server shuts down.
        try await request.body.consumeWithCancellationOnInboundClose { _ in
          let waiting = Waiting(limit: maximumWaiting)
          let events = events(of: realm, waiting, context)
          for await event in events.cancelOnGracefulShutdown() {
            try await writer.write(event)
            waiting.remove(event.readableBytes)
          }
        }
        try await writer.finish(nil)
      })
  }

  /// Returns the events after the version that a realm reads, those of a commit together.
  private func events(
    of realm: Realm, _ waiting: Waiting, _ context: ServerContext
  ) -> AsyncStream<ByteBuffer> {
    let (events, continuation) = AsyncStream<ByteBuffer>.makeStream()
    let ready = ByteBuffer(string: "event: ready\ndata:\n\n")
    let comment = ByteBuffer(string: ":\n\n")
    let task = Task {
      defer { continuation.finish() }
      do {
        var before = realm.freeze()
        _ = waiting.add(ready.readableBytes)
        continuation.yield(ready)
        for await now in realm.changes {
          let events = try Self.events(from: before, to: now)
          before = now
          if events.readableBytes == 0 { continue }
          guard waiting.add(events.readableBytes) else {
            context.logger.info("A client that does not read was disconnected.")
            context.channel.close(promise: nil)
            return
          }
          continuation.yield(events)
        }
      } catch {
        context.logger.error("A stream of events ended.", metadata: ["error": "\(error)"])
      }
    }
    let beating = Task {
      while true {
        try await Task.sleep(for: heartbeat)
        guard waiting.isEmpty else { continue }
        _ = waiting.add(comment.readableBytes)
        continuation.yield(comment)
      }
    }
    continuation.onTermination = { _ in
      task.cancel()
      beating.cancel()
    }
    return events
  }

  private static func events(from before: Realm, to now: Realm) throws -> ByteBuffer {
    let changes = try now.changes(since: before).objects(TaskItem.self)
    var events = ByteBuffer()
    for task in changes.insertions { try write("created", TaskJSON(task), to: &events) }
    for task in changes.modifications { try write("changed", TaskJSON(task.new), to: &events) }
    for task in changes.deletions { try write("deleted", ["id": task.id], to: &events) }
    return events
  }

  private static func write(
    _ name: String, _ data: some Encodable, to events: inout ByteBuffer
  ) throws {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    events.writeString("event: \(name)\ndata: ")
    events.writeBytes(try encoder.encode(data))
    events.writeString("\n\n")
  }
}

/// The bytes of events that wait for a client.
private final class Waiting: Sendable {
  private let bytes = Atomic<Int>(0)
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  var isEmpty: Bool { bytes.load(ordering: .relaxed) == 0 }

  /// Adds bytes. Returns whether they may wait: the first may, however many they are.
  func add(_ count: Int) -> Bool {
    let before = bytes.wrappingAdd(count, ordering: .relaxed).oldValue
    return before == 0 || before + count <= limit
  }

  func remove(_ count: Int) { bytes.wrappingSubtract(count, ordering: .relaxed) }
}
