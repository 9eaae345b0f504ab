import Foundation
import Hummingbird
import ServiceLifecycle
import Varve
import VarveServer

@main struct Server {
  static func main() async throws {
    let configuration = Realm.Configuration(
      fileURL: URL(filePath: "notes.varve"), objectTypes: [Note.self])
    let stores = VarveService(configuration)

    let router = Router()
    NoteRoutes(configuration: configuration).add(to: router)
    EventRoutes(configuration: configuration).add(to: router)

    let port = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 8080
    var app = Application(
      router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)),
      services: [stores])
    app.beforeServerStarts { try await stores.open() }
    var services = ServiceGroupConfiguration(
      services: [app], gracefulShutdownSignals: [.sigterm, .sigint], logger: app.logger)
    // A client that does not read its response would delay the end.
    services.maximumGracefulShutdownDuration = .seconds(10)
    try await ServiceGroup(configuration: services).run()
  }
}
