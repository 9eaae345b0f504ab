import ArgumentParser
import GRDB
import Hummingbird
import Logging

/// The endpoints of the load test, on SQLite through GRDB, with commits as durable as Varve's.
@main struct GRDBTaskServer: AsyncParsableCommand {
  @Option var store = "tasks.sqlite"
  @Option var port = 8080

  func run() async throws {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      // A commit in the write-ahead log waits for the disk.
      try db.execute(sql: "PRAGMA synchronous = FULL")
    }
    let pool = try DatabasePool(path: store, configuration: configuration)
    try migrate(pool)
    let router = Router()
    TaskRoutes(pool: pool).add(to: router)
    var logger = Logger(label: "grdb-task-server")
    logger.logLevel = .warning
    let app = Application(
      router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)),
      logger: logger)
    try await app.runService()
  }

  private func migrate(_ pool: DatabasePool) throws {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("tasks") { db in
      try db.create(table: "task") { table in
        table.autoIncrementedPrimaryKey("id")
        table.column("title", .text).notNull()
        table.column("notes", .text).notNull()
        table.column("isDone", .boolean).notNull().indexed()
        table.column("createdAt", .datetime).notNull()
      }
      try db.create(virtualTable: "taskTitle", using: FTS5()) { table in
        table.synchronize(withTable: "task")
        table.column("title")
      }
    }
    try migrator.migrate(pool)
  }
}
