import Foundation
import Hummingbird

/// A task as JSON.
struct TaskJSON: ResponseCodable {
  let id: Int
  let title: String
  let notes: String
  let isDone: Bool
  let createdAt: Date
  #if DueDates
    let due: Date?
  #endif

  init(_ task: TaskItem) {
    id = task.id
    title = task.title
    notes = task.notes
    isDone = task.isDone
    createdAt = task.createdAt
    #if DueDates
      due = task.due
    #endif
  }
}

/// One page of tasks. `next` is the value of `after` for the next page; nil on the last page.
struct TaskPageJSON: ResponseCodable {
  let tasks: [TaskJSON]
  let next: Int?
}

/// The body of a request that creates a task, or changes the named properties of one.
struct TaskChangeJSON: Decodable {
  let title: String?
  let notes: String?
  let isDone: Bool?
  #if DueDates
    let due: Date?
  #endif

  /// - Throws: 400 for a title that is empty, or missing in a new task.
  func validate(isNew: Bool = false) throws {
    if title?.allSatisfy(\.isWhitespace) ?? isNew {
      throw HTTPError(.badRequest, message: "A task needs a title.")
    }
  }

  /// Sets the properties that the request names.
  func apply(to task: TaskItem) {
    if let title { task.title = title }
    if let notes { task.notes = notes }
    if let isDone { task.isDone = isDone }
    #if DueDates
      if let due { task.due = due }
    #endif
  }
}
