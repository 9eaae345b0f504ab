import Foundation
import Synchronization
import Testing
import Varve
import VarveTestSupport

@testable import VarveCore

/// The executors of tasks that write, or run on a thread of their own. A task may end, and its
/// executor with it, while the call that has enqueued the last part of the task has not returned.
@Suite struct TaskExecutorTests {
  private static let count = isSoak ? 20_000 : 1000

  private final class Counted: Sendable {
    static let living = Atomic<Int>(0)
    init() { Self.living.add(1, ordering: .relaxed) }
    deinit { Self.living.subtract(1, ordering: .relaxed) }
  }

  @Test(.timeLimit(.minutes(5)))
  func tasksEndWhileTheirThreadsAreStarted() async throws {
    let sum = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<Self.count {
        group.addTask {
          let captured = Counted()
          return try await onOwnThread("test") { withExtendedLifetime(captured) { number } }
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(sum == Self.count * (Self.count - 1) / 2)
    // The last threads may not have ended yet.
    while Counted.living.load(ordering: .relaxed) > 0 { await Task.yield() }
  }

  @Test(.timeLimit(.minutes(5)))
  func writesEndWhileTheyAreRequested() async throws {
    try await withTemporaryRealm { realm, _ in
      let tasks = (0..<Self.count).map { number in
        let task = Task { try await realm.write { realm.add(Crate(number)) } }
        if number % 2 == 1 { task.cancel() }
        return task
      }
      var written: [Int] = []
      for (number, task) in tasks.enumerated() {
        switch await task.result {
        case .success: written.append(number)
        case .failure(let error): #expect(error is CancellationError && number % 2 == 1)
        }
      }
      try realm.refresh()
      #expect(realm.objects(Crate.self).sorted(by: \.id).map(\.id) == written)
    }
  }

  @Test(.timeLimit(.minutes(1)), arguments: [false, true])
  func executorIsReleasedAfterItsWrite(_ isCancelled: Bool) async throws {
    try await withTemporaryRealm { _, store in
      let core = try store.configuration.store()
      func write() async throws -> @Sendable () -> Bool {
        let write = AwaitedWrite(core, mayShare: true)
        if isCancelled { write.cancel() }
        let result = await Task {
          try await withTaskExecutorPreference(write) { try await write { _ in } }
        }.result
        if !isCancelled { try result.get() }
        return { [weak write] in write == nil }
      }
      let isReleased = try await write()
      while !isReleased() { await Task.yield() }
    }
  }
}
