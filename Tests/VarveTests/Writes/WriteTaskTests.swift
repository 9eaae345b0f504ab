import Foundation
import Testing
import Varve
import VarveCore
import VarveLocks
import VarveTestSupport

/// The closure of an awaited write is a part of the task that awaits it.
@Suite struct WriteTaskTests {
  // MARK: Task-local values and priority

  @Test func closureHasTaskLocalValuesAndPriorityOfItsTask() async throws {
    try await withTemporaryRealm { realm, _ in
      let writes: [@Sendable () async throws -> SeenTask] = [
        { try await realm.write { .current } },
        { try await realm.write(grouping: false) { .current } },
        { try await realm.write(withoutNotifying: []) { .current } },
        { try await realm.asyncWrite { .current } },
      ]
      for write in writes {
        let seen = try await SeenTask.$number.withValue(7) {
          try await Task(priority: .high) { try await write() }.value
        }
        #expect(seen == SeenTask(number: 7, priority: .high, isCancelled: false))
        #expect(try await write().number == 0)
      }
    }
  }

  @Test func closuresOfGroupHaveTheirOwnTasks() async throws {
    try await withPatientStore { realm, store in
      try await realm.write { realm.add(Crate(0)) }
      let core = try store.configuration.store()
      let held = OpenWrite(store.configuration)
      let tasks = await waiting(core, 4) { number in
        try await SeenTask.$number.withValue(number) {
          try await realm.write {
            if number == 2 { throw Cancelled() }
            realm.add(Crate(SeenTask.number))
          }
        }
      }
      held.end()
      for task in tasks { _ = await task.result }
      #expect(realm.objects(Crate.self).map(\.id) == [0, 1, 3])
      #expect(SeenTask.number == 0)
    }
  }

  @Test func insertedSequenceIsMadeInsideTask() async throws {
    try await withTemporaryRealm { realm, _ in
      try await SeenTask.$number.withValue(7) {
        try await realm.write {
          realm.insert((0..<3).lazy.map { Crate.New(id: $0, weight: Double(SeenTask.number)) })
        }
      }
      #expect(realm.objects(Crate.self).map(\.weight) == [7, 7, 7])
    }
  }

  @MainActor @Test func taskContinuesOnItsOwnExecutor() async throws {
    let store = try TemporaryRealm()
    defer { store.end() }
    let realm = try store.open()
    let writer = try await realm.write { UInt(pthread_self()) }
    #expect(UInt(pthread_self()) != writer)
    MainActor.assertIsolated()
    await #expect(throws: Cancelled.self) {
      try await realm.write { throw Cancelled() }
    }
    MainActor.assertIsolated()
    let thread = await Task.detached {
      _ = try? await realm.write { 1 }
      return UInt(pthread_self())
    }.value
    #expect(thread != writer)
  }

  @Test func taskOfClosureDoesNotRunOnWriterThread() async throws {
    try await withTemporaryRealm { realm, _ in
      let (writer, inner) = try await realm.write {
        (UInt(pthread_self()), Task { UInt(pthread_self()) })
      }
      #expect(await inner.value != writer)
    }
  }

  // MARK: Cancellation

  @Test func cancellationIsSeenByClosure() async throws {
    try await withTemporaryRealm { realm, _ in
      let seen = Lock<[Bool]>([])
      let write = Task {
        try await realm.write {
          realm.add(Crate(1))
          seen.withLock { $0.append(Task.isCancelled) }
          withUnsafeCurrentTask { $0?.cancel() }
          seen.withLock { $0.append(Task.isCancelled) }
          try Task.checkCancellation()
          Issue.record("The task is cancelled.")
        }
      }
      await expectCancellation(of: write)
      #expect(seen.withLock { $0 } == [false, true])
      #expect(realm.objects(Crate.self).isEmpty)
    }
  }

  @Test func writeOfTaskCancelledInsideClosureIsRolledBack() async throws {
    try await withTemporaryRealm { realm, _ in
      for grouping in [true, false] {
        let write = Task {
          try await realm.write(grouping: grouping) {
            realm.add(Crate(1))
            withUnsafeCurrentTask { $0?.cancel() }
          }
        }
        await expectCancellation(of: write)
        #expect(realm.objects(Crate.self).isEmpty)
      }
      try await realm.write { realm.add(Crate(1)) }
    }
  }

  @Test func errorOfClosureIsThrownAfterCancellation() async throws {
    try await withTemporaryRealm { realm, _ in
      let write = Task {
        try await realm.write {
          withUnsafeCurrentTask { $0?.cancel() }
          throw Cancelled()
        }
      }
      await #expect(throws: Cancelled.self) { try await write.value }
    }
  }

  /// The first closure has returned, and the second one of the group cancels both tasks.
  @Test func cancellationBeforeReturnOfClosureRollsBackAndLaterOneDoesNot() async throws {
    try await withPatientStore { realm, store in
      try await realm.write { realm.add(Crate(0)) }
      let before = realm.version.number
      let core = try store.configuration.store()
      let held = OpenWrite(store.configuration)
      let first = Lock<Task<Int, any Error>?>(nil)
      let tasks = await waiting(core, 3) { number in
        try await realm.write {
          if number == 1 {
            first.withLock { $0 }?.cancel()
            withUnsafeCurrentTask { $0?.cancel() }
          }
          realm.add(Crate(number + 1))
          return number
        }
      }
      first.withLock { $0 = tasks[0] }
      held.end()
      #expect(try await tasks[0].value == 0)
      #expect(tasks[0].isCancelled)
      await expectCancellation(of: tasks[1])
      #expect(try await tasks[2].value == 2)
      #expect(realm.objects(Crate.self).map(\.id) == [0, 1, 3])
      #expect(realm.version.number == before + 1)
    }
  }

  @Test func cancelledTaskDoesNotBeginWrite() async throws {
    try await withTemporaryRealm { realm, _ in
      let write = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await realm.write { realm.add(Crate(1)) }
      }
      await expectCancellation(of: write)
      #expect(realm.objects(Crate.self).isEmpty)
    }
  }

  @Test func cancellationOfManyTasksAtRandomTimesLeavesNoTaskWaiting() async throws {
    var random = SeededRandom()
    try await withTemporaryRealm { realm, _ in
      for round in 0..<20 {
        let tasks = (0..<50).map { number in
          Task {
            try await realm.write {
              realm.add(Crate(100 * round + number))
              return number
            }
          }
        }
        await Task.yield()
        for task in tasks where Bool.random(using: &random) { task.cancel() }
        for (number, task) in tasks.enumerated() {
          let isWritten = (try? await task.value) == number
          let crate = realm.object(ofType: Crate.self, forPrimaryKey: 100 * round + number)
          #expect((crate != nil) == isWritten, "\(random)")
        }
      }
    }
  }

  /// Starts tasks whose writes wait in the order of their numbers.
  private func waiting<R: Sendable>(
    _ core: Store, _ count: Int, _ write: @escaping @Sendable (Int) async throws -> R
  ) async -> [Task<R, any Error>] {
    var tasks: [Task<R, any Error>] = []
    for number in 0..<count {
      tasks.append(Task { try await write(number) })
      while core.waitingWriteCount <= number { await Task.yield() }
    }
    return tasks
  }
}
