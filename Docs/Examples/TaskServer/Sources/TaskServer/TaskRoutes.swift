import Hummingbird
import Varve
import VarveServer

/// The tasks: one by its id, a list in pages, a search, and changes.
///
/// Each request reads through a realm of its own, which is one version of the store.
struct TaskRoutes {
  let configuration: Realm.Configuration

  func add(to router: Router<ServerContext>) {
    router.group("tasks")
      .get(use: list)
      .get("search", use: search)
      .get(":id", use: get)
      .post(use: create)
      .patch(":id", use: update)
      .delete(":id", use: delete)
  }

  @Sendable private func get(_ request: Request, _ context: ServerContext) throws -> TaskJSON {
    let id = try context.parameters.require("id", as: Int.self)
    return TaskJSON(try find(id, in: Realm(configuration: configuration)))
  }

  /// `GET /tasks?after=100&limit=50&done=false`: the tasks with the next larger ids.
  @Sendable private func list(
    _ request: Request, _ context: ServerContext
  ) throws -> TaskPageJSON {
    let after = try request.parameter("after", as: Int.self) ?? 0
    let limit = try Self.limit(of: request)
    var tasks = try Realm(configuration: configuration).objects(TaskItem.self)
      .where { $0.id > after }
      .sorted(by: \.id)
    if let isDone = try request.parameter("done", as: Bool.self) {
      tasks = tasks.where { $0.isDone == isDone }
    }
    let page = tasks.limit(limit).map(TaskJSON.init)
    return TaskPageJSON(tasks: page, next: page.count < limit ? nil : page.last?.id)
  }

  /// `GET /tasks/search?q=milk+bread`: the tasks whose titles contain all words, the best first.
  @Sendable private func search(
    _ request: Request, _ context: ServerContext
  ) throws -> TaskPageJSON {
    guard let words = try request.parameter("q", as: String.self) else {
      throw HTTPError(.badRequest, message: "The parameter q is missing.")
    }
    let found = try Realm(configuration: configuration).objects(TaskItem.self)
      .search(words, in: \.title, limit: try Self.limit(of: request))
    return TaskPageJSON(tasks: found.map { TaskJSON($0.object) }, next: nil)
  }

  @Sendable private func create(
    _ request: Request, _ context: ServerContext
  ) async throws -> EditedResponse<TaskJSON> {
    let change = try await request.decode(as: TaskChangeJSON.self, context: context)
    try change.validate(isNew: true)
    let realm = try Realm(configuration: configuration)
    let created = try await realm.write(span: "create task") {
      let task = TaskItem()
      change.apply(to: task)
      realm.add(task)
      return TaskJSON(task)
    }
    return EditedResponse(
      status: .created, headers: [.location: "/tasks/\(created.id)"], response: created)
  }

  @Sendable private func update(
    _ request: Request, _ context: ServerContext
  ) async throws -> TaskJSON {
    let id = try context.parameters.require("id", as: Int.self)
    let change = try await request.decode(as: TaskChangeJSON.self, context: context)
    try change.validate()
    let realm = try Realm(configuration: configuration)
    return try await realm.write(span: "update task") {
      let task = try find(id, in: realm)
      change.apply(to: task)
      return TaskJSON(task)
    }
  }

  @Sendable private func delete(
    _ request: Request, _ context: ServerContext
  ) async throws -> HTTPResponse.Status {
    let id = try context.parameters.require("id", as: Int.self)
    let realm = try Realm(configuration: configuration)
    try await realm.write(span: "delete task") { realm.delete(try find(id, in: realm)) }
    return .noContent
  }

  private func find(_ id: Int, in realm: Realm) throws -> TaskItem {
    guard let task = realm.object(ofType: TaskItem.self, forPrimaryKey: id) else {
      throw HTTPError(.notFound, message: "There is no such task.")
    }
    return task
  }

  private static func limit(of request: Request) throws -> Int {
    min(max(try request.parameter("limit", as: Int.self) ?? 50, 1), 500)
  }
}

extension Request {
  /// Returns a parameter of the query; nil if it is missing.
  ///
  /// - Throws: 400 if it has another type.
  fileprivate func parameter<T: LosslessStringConvertible>(
    _ name: String, as type: T.Type
  ) throws -> T? {
    guard let text = uri.queryParameters.get(name) else { return nil }
    guard let value = T(text) else {
      throw HTTPError(.badRequest, message: "The parameter \(name) is not a value of its type.")
    }
    return value
  }
}
