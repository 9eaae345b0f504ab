import Foundation
import Logging
import Testing
import Varve

@Suite struct AsyncWritingTests {
  @Test func writeAsyncRunsBlockAndCallsCompletion() throws {
    try withTemporaryRealm { realm, _ in
      let events = EventRecorder<String>()
      let queue = DispatchQueue(label: "test")
      realm.writeAsync(completingOn: queue) {
        realm.add(Buoy(1))
      } onComplete: { error in
        dispatchPrecondition(condition: .onQueue(queue))
        events.note(error == nil ? "committed" : "failed")
      }
      #expect(events.wait(for: 1) == ["committed"])
      #expect(realm.objects(Buoy.self).count == 1)
      realm.writeAsync {
        realm.add(Buoy(2))
        throw Cancelled()
      } onComplete: { error in
        events.note(error is Cancelled ? "thrown" : "other")
      }
      realm.writeAsync {
        realm.add(Buoy(1))
      } onComplete: { error in
        events.note((error as? Realm.Error)?.code.description ?? "none")
      }
      #expect(events.wait(for: 3) == ["committed", "thrown", "duplicatePrimaryKey"])
      #expect(realm.objects(Buoy.self).count == 1)
    }
  }

  @Test func writesRunInCallOrder() throws {
    try withTemporaryRealm { realm, store in
      let held = OpenWrite(store.configuration)
      let events = EventRecorder<Int>()
      for number in 0..<20 {
        realm.writeAsync {
          realm.add(Buoy(number, depth: realm.objects(Buoy.self).count))
        } onComplete: { _ in
          events.note(number)
        }
      }
      #expect(realm.isPerformingAsynchronousWriteOperations)
      #expect(events.all.isEmpty)
      held.end()
      #expect(events.wait(for: 20) == Array(0..<20))
      #expect(realm.objects(Buoy.self).sorted(by: \.id).map(\.depth) == Array(0..<20))
      while realm.isPerformingAsynchronousWriteOperations { usleep(500) }
    }
  }

  @Test func waitingWriteIsCancelled() throws {
    try withTemporaryRealm { realm, store in
      let held = OpenWrite(store.configuration)
      let events = EventRecorder<Int>()
      let ids = (0..<3).map { number in
        realm.writeAsync {
          realm.add(Buoy(number))
        } onComplete: { _ in
          events.note(number)
        }
      }
      // The first write may have started already.
      #expect(realm.cancelAsyncWrite(ids[1]))
      #expect(!realm.cancelAsyncWrite(ids[1]))
      held.end()
      #expect(events.wait(for: 2) == [0, 2])
      #expect(!realm.cancelAsyncWrite(ids[2]))
      #expect(realm.objects(Buoy.self).map(\.id).sorted() == [0, 2])
    }
  }

  @Test func beginAsyncWriteBlockCommits() throws {
    try withTemporaryRealm { realm, _ in
      let events = EventRecorder<String>()
      realm.beginAsyncWrite {
        realm.add(Buoy(1))
        events.note(realm.isInWriteTransaction ? "inside" : "outside")
        let early = errorCode { try realm.write {} }
        events.note(early?.description ?? "none")
        do {
          try realm.commitAsyncWrite { error in events.note(error == nil ? "committed" : "failed") }
        } catch {
          events.note("\(error)")
        }
        let again = errorCode { try realm.commitAsyncWrite() }
        events.note(again?.description ?? "none")
      }
      #expect(
        events.wait(for: 4)
          == ["inside", "alreadyInWriteTransaction", "notInWriteTransaction", "committed"])
      #expect(realm.objects(Buoy.self).count == 1)
    }
  }

  @Test func commitWriteCommitsBegunAsyncWrite() throws {
    try withTemporaryRealm { realm, _ in
      let events = EventRecorder<Int>()
      realm.beginAsyncWrite {
        realm.add(Buoy(1))
        do { try realm.commitWrite() } catch { Issue.record(error) }
        expectError(.notInWriteTransaction) { try realm.commitWrite() }
      }
      // The store cannot be closed before this write has ended.
      realm.writeAsync {
      } onComplete: { _ in
        events.note(realm.objects(Buoy.self).count)
      }
      #expect(events.wait(for: 1) == [1])
    }
  }

  @Test func uncommittedAsyncWriteIsRolledBack() throws {
    try withTemporaryRealm { realm, _ in
      let events = EventRecorder<Int>()
      realm.beginAsyncWrite { realm.add(Buoy(1)) }
      realm.beginAsyncWrite {
        realm.add(Buoy(2))
        realm.cancelAfterCommitting { events.note(1) }
      }
      realm.writeAsync { events.note(realm.objects(Buoy.self).count) }
      #expect(events.wait(for: 1) == [0])
      while realm.isPerformingAsynchronousWriteOperations { usleep(500) }
      #expect(events.all == [0] && realm.refreshed().objects(Buoy.self).isEmpty)
    }
  }

  @Test func failedAsyncWriteReportsError() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write { realm.add(Buoy(1)) }
      let events = EventRecorder<String>()
      realm.beginAsyncWrite {
        realm.add(Buoy(1))
        try? realm.commitAsyncWrite { error in
          events.note((error as? Realm.Error)?.code.description ?? "none")
        }
      }
      #expect(events.wait(for: 1) == ["duplicatePrimaryKey"])
    }
  }

  @Test func allowGroupingSharesCommitWithWaitingWrites() async throws {
    for grouping in [true, false] {
      try await withPatientStore { realm, store in
        try await realm.asyncWrite { realm.add(Buoy(0)) }
        let before = realm.refreshed().version.number
        let held = OpenWrite(store.configuration)
        let events = EventRecorder<UInt64>()
        realm.beginAsyncWrite {
          realm.add(Buoy(1))
          try? realm.commitAsyncWrite(allowGrouping: grouping) { _ in events.note(1) }
        }
        realm.writeAsync {
          realm.add(Buoy(2))
        } onComplete: { _ in
          events.note(2)
        }
        held.end()
        #expect(events.wait(for: 2) == [1, 2])
        #expect(realm.refreshed().version.number - before == (grouping ? 1 : 2))
      }
    }
  }

  @Test func commitAsyncWriteOutsideTransactionThrows() throws {
    try withTemporaryRealm { realm, _ in
      expectError(.notInWriteTransaction) { try realm.commitAsyncWrite() }
      expectError(.notInWriteTransaction) { try realm.write { try realm.commitAsyncWrite() } }
      #expect(realm.objects(Buoy.self).isEmpty)
    }
  }

  @Test func writeAsyncOfFrozenRealmReportsError() throws {
    try withTemporaryRealm { realm, _ in
      let events = EventRecorder<String>()
      realm.freeze().writeAsync {
      } onComplete: {
        events.note(($0 as? Realm.Error)?.code.description ?? "none")
      }
      #expect(events.wait(for: 1) == ["frozen"])
    }
  }

  @Test func writeAsyncOfFrozenRealmWithoutCompletionIsLogged() throws {
    let log = RecordedLog(level: .error)
    try withTemporaryRealm({ $0.logger = log.logger }) { realm, _ in
      realm.freeze().writeAsync {}
      let line = try #require(log.lines.wait(for: 1).first)
      #expect(line.contains("without a completion handler") && line.contains("frozen"))
    }
  }

  @Test func writeReturnsClosureResult() throws {
    try withTemporaryRealm { realm, _ in
      let count = try realm.write {
        realm.add(Buoy(1))
        return realm.objects(Buoy.self).count
      }
      #expect(count == 1)
      expectError(.alreadyInWriteTransaction) { try realm.write { try realm.write {} } }
      expectCancelled {
        try realm.write {
          realm.add(Buoy(2))
          throw Cancelled()
        }
      }
      #expect(realm.objects(Buoy.self).count == 1)
    }
  }
}

extension Realm {
  fileprivate func refreshed() -> Realm {
    _ = try? refresh()
    return self
  }

  fileprivate func cancelAfterCommitting(_ completion: @escaping @Sendable () -> Void) {
    try? commitAsyncWrite { _ in completion() }
    cancelWrite()
  }
}
