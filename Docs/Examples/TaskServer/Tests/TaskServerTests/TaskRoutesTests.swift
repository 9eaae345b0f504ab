import Foundation
import Testing

@Suite struct TaskRoutesTests {
  @Test func taskIsCreatedChangedAndDeleted() async throws {
    try await withTemporaryStore { store in
      let server = try await ServerProcess(store: store)
      let created = try await server.create("Buy milk")
      #expect(!created.isDone)
      let changed = try await server.send(.PATCH, "/tasks/\(created.id)", ["isDone": true])
      #expect(changed.status == 200)
      let read: TaskAnswer = try await server.send(.GET, "/tasks/\(created.id)").decode()
      #expect(read.title == "Buy milk")
      #expect(read.isDone)
      #expect(try await server.send(.DELETE, "/tasks/\(created.id)").status == 204)
      for answer in [
        try await server.send(.GET, "/tasks/\(created.id)"),
        try await server.send(.PATCH, "/tasks/\(created.id)", ["isDone": true]),
        try await server.send(.DELETE, "/tasks/\(created.id)"),
      ] { #expect(answer.status == 404) }
    }
  }

  @Test func badRequestsAreRefused() async throws {
    try await withTemporaryStore { store in
      let server = try await ServerProcess(store: store)
      #expect(try await server.send(.POST, "/tasks", ["notes": "no title"]).status == 400)
      #expect(try await server.send(.POST, "/tasks", ["title": 1]).status == 400)
      #expect(try await server.send(.GET, "/tasks/one").status == 400)
      #expect(try await server.send(.GET, "/tasks/search").status == 400)
      for query in ["done=maybe", "after=abc", "limit=abc"] {
        #expect(try await server.send(.GET, "/tasks?\(query)").status == 400)
      }
      #expect(try await server.send(.POST, "/tasks", ["title": " "]).status == 400)
      #expect(try await server.send(.GET, "/task").status == 404)
      let page: PageAnswer = try await server.send(.GET, "/tasks").decode()
      #expect(page.tasks.isEmpty)
      let task = try await server.create("Buy milk")
      #expect(try await server.send(.PATCH, "/tasks/\(task.id)", ["title": ""]).status == 400)
    }
  }

  @Test func pagesContainEachTaskOnce() async throws {
    try await withTemporaryStore { store in
      let server = try await ServerProcess(store: store)
      for number in 1...25 {
        let task = try await server.create("Task \(number)")
        if number.isMultiple(of: 5) {
          _ = try await server.send(.PATCH, "/tasks/\(task.id)", ["isDone": true])
        }
      }
      var titles: [String] = []
      var after: Int? = 0
      while let last = after {
        let page: PageAnswer = try await server.send(.GET, "/tasks?limit=10&after=\(last)").decode()
        #expect(page.tasks.count <= 10)
        titles += page.tasks.map(\.title)
        after = page.next
      }
      #expect(titles == (1...25).map { "Task \($0)" })
      let done: PageAnswer = try await server.send(.GET, "/tasks?done=true").decode()
      #expect(done.tasks.map(\.title) == [5, 10, 15, 20, 25].map { "Task \($0)" })
    }
  }

  @Test func searchFindsAllWords() async throws {
    try await withTemporaryStore { store in
      let server = try await ServerProcess(store: store)
      for title in ["Buy milk", "Buy bread and milk", "Sell bread"] {
        _ = try await server.create(title)
      }
      let found: PageAnswer = try await server.send(.GET, "/tasks/search?q=bread%20milk").decode()
      #expect(found.tasks.map(\.title) == ["Buy bread and milk"])
    }
  }
}
