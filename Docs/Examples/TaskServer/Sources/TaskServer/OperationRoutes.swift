import Foundation
import Hummingbird
import Varve
import VarveServer

/// What operators need: a health check, metrics, and backups.
struct OperationRoutes {
  let configuration: Realm.Configuration
  let backups: URL
  let metrics: PrometheusMetrics

  func add(to router: Router<ServerContext>) {
    router.get("health", use: health)
    router.get("metrics") { _, _ in metrics.text }
    router.post("backup", use: backup)
  }

  /// `GET /health`: 200 if the store can be read and written, otherwise 503 and the reason.
  @Sendable private func health(
    _ request: Request, _ context: ServerContext
  ) async -> EditedResponse<String> {
    let health = await StoreHealth.check(configuration)
    return EditedResponse(
      status: health.isHealthy ? .ok : .serviceUnavailable, response: "\(health)\n")
  }

  /// The file of a backup as JSON.
  struct BackupJSON: ResponseCodable {
    let file: String
    let bytes: Int
  }

  /// `POST /backup`: copies the store to a new file, while all processes read and write it.
  @Sendable private func backup(
    _ request: Request, _ context: ServerContext
  ) async throws -> BackupJSON {
    try FileManager.default.createDirectory(at: backups, withIntermediateDirectories: true)
    let time = Date().ISO8601Format(.iso8601(timeZone: .gmt, includingFractionalSeconds: true))
    // Programs such as rsync take a colon for the end of a host.
    let name = "tasks-\(time.replacing(":", with: "")).varve"
    let file = backups.appending(path: name)
    try await Realm(configuration: configuration).writeCopy(toFile: file)
    let bytes = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
    return BackupJSON(file: file.lastPathComponent, bytes: bytes ?? 0)
  }
}

/// Answers 503 when a write may succeed later.
struct StoreErrorMiddleware<Context: RequestContext>: RouterMiddleware {
  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let error as Realm.Error {
      context.logger.error("A request failed.", metadata: ["error": "\(error)"])
      switch error.code {
      case .busy, .closed, .pinBudgetExceeded: throw HTTPError(.serviceUnavailable)
      default: throw HTTPError(.internalServerError)
      }
    } catch let error as CocoaError {
      // A file of a backup.
      context.logger.error("A request failed.", metadata: ["error": "\(error)"])
      throw HTTPError(.internalServerError, message: "A file could not be written.")
    }
  }
}
