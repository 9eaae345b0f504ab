import Foundation
import GRDB
import Hummingbird

/// A task: a row of the database, and its JSON.
struct TaskItem: ResponseCodable, FetchableRecord, MutablePersistableRecord {
  static let databaseTableName = "task"

  var id: Int64?
  var title: String
  var notes: String
  var isDone: Bool
  var createdAt: Date

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

struct TaskPageJSON: ResponseCodable {
  let tasks: [TaskItem]
  let next: Int64?
}

struct TaskRoutes {
  struct NewTaskJSON: Decodable {
    let title: String
    let notes: String?
  }

  let pool: DatabasePool

  func add(to router: Router<BasicRequestContext>) {
    router.get("health") { _, _ in "healthy\n" }
    router.group("tasks")
      .get(use: list)
      .get("search", use: search)
      .get(":id", use: get)
      .post(use: create)
  }

  @Sendable private func get(
    _ request: Request, _ context: BasicRequestContext
  ) async throws -> TaskItem {
    let id = try context.parameters.require("id", as: Int64.self)
    guard let task = try await pool.read({ try TaskItem.fetchOne($0, key: id) }) else {
      throw HTTPError(.notFound)
    }
    return task
  }

  @Sendable private func list(
    _ request: Request, _ context: BasicRequestContext
  ) async throws -> TaskPageJSON {
    let after = request.uri.queryParameters.get("after", as: Int64.self) ?? 0
    let limit = Self.limit(of: request)
    let page = try await pool.read { db in
      try TaskItem.filter(Column("id") > after).order(Column("id")).limit(limit).fetchAll(db)
    }
    return TaskPageJSON(tasks: page, next: page.count < limit ? nil : page.last?.id)
  }

  @Sendable private func search(
    _ request: Request, _ context: BasicRequestContext
  ) async throws -> TaskPageJSON {
    let words = try request.uri.queryParameters.require("q")
    let limit = Self.limit(of: request)
    guard let pattern = FTS5Pattern(matchingAllTokensIn: words) else {
      throw HTTPError(.badRequest)
    }
    let found = try await pool.read { db in
      try TaskItem.fetchAll(
        db,
        sql: """
          SELECT task.* FROM task JOIN taskTitle ON taskTitle.rowid = task.id
          WHERE taskTitle MATCH ? ORDER BY taskTitle.rank LIMIT ?
          """,
        arguments: [pattern, limit])
    }
    return TaskPageJSON(tasks: found, next: nil)
  }

  @Sendable private func create(
    _ request: Request, _ context: BasicRequestContext
  ) async throws -> EditedResponse<TaskItem> {
    let new = try await request.decode(as: NewTaskJSON.self, context: context)
    let created = try await pool.write { db in
      var task = TaskItem(
        title: new.title, notes: new.notes ?? "", isDone: false, createdAt: Date())
      try task.insert(db)
      return task
    }
    return EditedResponse(status: .created, response: created)
  }

  private static func limit(of request: Request) -> Int {
    min(max(request.uri.queryParameters.get("limit", as: Int.self) ?? 50, 1), 500)
  }
}
