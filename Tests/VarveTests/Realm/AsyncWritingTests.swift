import Foundation
import Logging
import Testing
import Varve

@Suite struct AsyncWritingTests {
  @Test func writeAsyncRunsBlockAndCallsCompletion() throws {
    try withTemporaryRealm { realm, _ in
      let heard = Heard<String>()
      let queue = DispatchQueue(label: "test")
      realm.writeAsync(completingOn: queue) {
        realm.add(Buoy(1))
      } onComplete: { error in
        dispatchPrecondition(condition: .onQueue(queue))
        heard.note(error == nil ? "committed" : "failed")
      }
      #expect(heard.wait(for: 1) == ["committed"])
      #expect(realm.objects(Buoy.self).count == 1)
      realm.writeAsync {
        realm.add(Buoy(2))
        throw Cancelled()
      } onComplete: { error in
        heard.note(error is Cancelled ? "thrown" : "other")
      }
      realm.writeAsync {
        realm.add(Buoy(1))
      } onComplete: { error in
        heard.note((error as? Realm.Error)?.code.description ?? "none")
      }
      #expect(heard.wait(for: 3) == ["committed", "thrown", "duplicatePrimaryKey"])
      #expect(realm.objects(Buoy.self).count == 1)
    }
  }

  @Test func writesRunInCallOrder() throws {
    try withTemporaryRealm { realm, store in
      let held = HeldWrite(store.configuration)
      let heard = Heard<Int>()
      for number in 0..<20 {
        realm.writeAsync {
          realm.add(Buoy(number, depth: realm.objects(Buoy.self).count))
        } onComplete: { _ in
          heard.note(number)
        }
      }
      #expect(realm.isPerformingAsynchronousWriteOperations)
      #expect(heard.all.isEmpty)
      held.end()
      #expect(heard.wait(for: 20) == Array(0..<20))
      #expect(realm.objects(Buoy.self).sorted(by: \.id).map(\.depth) == Array(0..<20))
      while realm.isPerformingAsynchronousWriteOperations { usleep(500) }
    }
  }

  @Test func waitingWriteIsCancelled() throws {
    try withTemporaryRealm { realm, store in
      let held = HeldWrite(store.configuration)
      let heard = Heard<Int>()
      let ids = (0..<3).map { number in
        realm.writeAsync {
          realm.add(Buoy(number))
        } onComplete: { _ in
          heard.note(number)
        }
      }
      // The first write may have started already.
      #expect(realm.cancelAsyncWrite(ids[1]))
      #expect(!realm.cancelAsyncWrite(ids[1]))
      held.end()
      #expect(heard.wait(for: 2) == [0, 2])
      #expect(!realm.cancelAsyncWrite(ids[2]))
      #expect(realm.objects(Buoy.self).map(\.id).sorted() == [0, 2])
    }
  }

  @Test func beginAsyncWriteBlockCommits() throws {
    try withTemporaryRealm { realm, _ in
      let heard = Heard<String>()
      realm.beginAsyncWrite {
        realm.add(Buoy(1))
        heard.note(realm.isInWriteTransaction ? "inside" : "outside")
        let early = errorCode { try realm.write {} }
        heard.note(early?.description ?? "none")
        do {
          try realm.commitAsyncWrite { error in heard.note(error == nil ? "committed" : "failed") }
        } catch {
          heard.note("\(error)")
        }
        let again = errorCode { try realm.commitAsyncWrite() }
        heard.note(again?.description ?? "none")
      }
      #expect(
        heard.wait(for: 4)
          == ["inside", "alreadyInWriteTransaction", "notInWriteTransaction", "committed"])
      #expect(realm.objects(Buoy.self).count == 1)
    }
  }

  @Test func commitWriteCommitsBegunAsyncWrite() throws {
    try withTemporaryRealm { realm, _ in
      let heard = Heard<Int>()
      realm.beginAsyncWrite {
        realm.add(Buoy(1))
        do { try realm.commitWrite() } catch { Issue.record(error) }
        expectError(.notInWriteTransaction) { try realm.commitWrite() }
      }
      realm.writeAsync { heard.note(realm.objects(Buoy.self).count) }
      #expect(heard.wait(for: 1) == [1])
    }
  }

  @Test func uncommittedAsyncWriteIsRolledBack() throws {
    try withTemporaryRealm { realm, _ in
      let heard = Heard<Int>()
      realm.beginAsyncWrite { realm.add(Buoy(1)) }
      realm.beginAsyncWrite {
        realm.add(Buoy(2))
        realm.cancelAfterCommitting { heard.note(1) }
      }
      realm.writeAsync { heard.note(realm.objects(Buoy.self).count) }
      #expect(heard.wait(for: 1) == [0])
      while realm.isPerformingAsynchronousWriteOperations { usleep(500) }
      #expect(heard.all == [0] && realm.refreshed().objects(Buoy.self).isEmpty)
    }
  }

  @Test func failedAsyncWriteReportsError() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write { realm.add(Buoy(1)) }
      let heard = Heard<String>()
      realm.beginAsyncWrite {
        realm.add(Buoy(1))
        try? realm.commitAsyncWrite { error in
          heard.note((error as? Realm.Error)?.code.description ?? "none")
        }
      }
      #expect(heard.wait(for: 1) == ["duplicatePrimaryKey"])
    }
  }

  @Test func allowGroupingSharesCommitWithWaitingWrites() async throws {
    for grouping in [true, false] {
      try await withPatientStore { realm, store in
        try await realm.asyncWrite { realm.add(Buoy(0)) }
        let before = realm.refreshed().version.number
        let held = HeldWrite(store.configuration)
        let heard = Heard<UInt64>()
        realm.beginAsyncWrite {
          realm.add(Buoy(1))
          try? realm.commitAsyncWrite(allowGrouping: grouping) { _ in heard.note(1) }
        }
        realm.writeAsync {
          realm.add(Buoy(2))
        } onComplete: { _ in
          heard.note(2)
        }
        held.end()
        #expect(heard.wait(for: 2) == [1, 2])
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
      let heard = Heard<String>()
      realm.freeze().writeAsync {
      } onComplete: {
        heard.note(($0 as? Realm.Error)?.code.description ?? "none")
      }
      #expect(heard.wait(for: 1) == ["frozen"])
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
