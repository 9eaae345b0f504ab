import Hummingbird
import ServiceLifecycle
import Varve

/// `GET /events`: the number of notes, now and after commits of any process.
struct EventRoutes {
  let configuration: Realm.Configuration

  func add(to router: Router<BasicRequestContext>) {
    router.get("events") { request, _ in
      let notes = try Realm(configuration: configuration).objects(Note.self)
      return Response(
        status: .ok, headers: [.contentType: "text/event-stream"],
        body: ResponseBody { writer in
          // Ends when the client leaves, and when the server shuts down.
          try await request.body.consumeWithCancellationOnInboundClose { _ in
            for await change in notes.changes.cancelOnGracefulShutdown() {
              let event = "data: \(change.collection.count)\n\n"
              try await writer.write(ByteBuffer(string: event))
            }
          }
          try await writer.finish(nil)
        })
    }
  }
}
