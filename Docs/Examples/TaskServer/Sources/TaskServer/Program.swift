import ArgumentParser
import Foundation
import Hummingbird
import Logging
import Metrics
import ServiceLifecycle
import Varve
import VarveServer

@main struct TaskServer: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serves tasks over HTTP. Several processes may serve one store.")

  @Option(help: "The file with the tasks. It is created if it does not exist.")
  var store = "tasks.varve"
  @Option(help: "The directory for backups.")
  var backups = "backups"
  @Option(help: "The address to listen on.")
  var host = "127.0.0.1"
  @Option(help: "The port to listen on; 0 for any free port.")
  var port = 8080
  @Option(help: "The seconds between two comments in a stream of events.")
  var heartbeat = 15
  @Option(help: "The seconds between two updates of the sizes in the metrics.")
  var metricsInterval = 5
  @Option(help: "The seconds that running requests have at a shutdown.")
  var shutdownLimit = 10
  @Option(help: "The least level of log messages.")
  var logLevel = Logger.Level.info

  func validate() throws {
    guard (0...65535).contains(port) else {
      throw ValidationError("--port must be between 0 and 65535.")
    }
    guard heartbeat > 0, metricsInterval > 0, shutdownLimit > 0 else {
      throw ValidationError(
        "--heartbeat, --metrics-interval and --shutdown-limit must be positive.")
    }
  }

  func run() async throws {
    let metrics = PrometheusMetrics()
    MetricsSystem.bootstrap(metrics)
    let logger = logger("task-server")

    var configuration = Realm.Configuration(
      fileURL: URL(filePath: store), schemaVersion: 1, objectTypes: [TaskItem.self])
    configuration.logger = self.logger("varve")
    let stores = VarveService(
      configuration, metricsInterval: .seconds(metricsInterval), logger: logger)

    let router = Router(context: ServerContext.self, options: .autoGenerateHeadEndpoints)
    router.addMiddleware {
      MetricsMiddleware()
      StoreErrorMiddleware()
    }
    TaskRoutes(configuration: configuration).add(to: router)
    EventRoutes(configuration: configuration, heartbeat: .seconds(heartbeat)).add(to: router)
    OperationRoutes(
      configuration: configuration, backups: URL(filePath: backups), metrics: metrics
    ).add(to: router)

    var app = Application(
      router: router, configuration: .init(address: .hostname(host, port: port)),
      services: [stores],
      onServerRunning: { channel in
        logger.info("Serving.", metadata: ["port": "\(channel.localAddress?.port ?? 0)"])
      }, logger: logger)
    // No request finds a store that is still being migrated.
    app.beforeServerStarts { try await stores.open() }
    var services = ServiceGroupConfiguration(
      services: [app], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    // Clients that do not read their responses would delay the end.
    services.maximumGracefulShutdownDuration = .seconds(shutdownLimit)
    try await ServiceGroup(configuration: services).run()
  }

  private func logger(_ label: String) -> Logger {
    var logger = Logger(label: label)
    logger.logLevel = logLevel
    return logger
  }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
