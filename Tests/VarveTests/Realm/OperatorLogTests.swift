import Foundation
import Logging
import Testing
import Varve
import VarveTestSupport

@testable import VarveCore

@Model final class Lantern: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var height: Int
}

/// Log messages for server operators.
@Suite struct OperatorLogTests {
  private func lines(_ log: RecordedLog, _ message: String) -> [String] {
    log.lines.all.filter { $0.contains(message) }
  }

  @Test func openingsMigrationsAndClosingsAreLogged() throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    let log = RecordedLog(level: .info)
    var configuration = store.configuration
    configuration.logger = log.logger
    configuration.objectTypes = [Lantern.self]
    configuration.schemaVersion = 1
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.create(Lantern.self, value: ["id": 1]) }
    try Realm.close(configuration)
    configuration.schemaVersion = 4
    configuration.migrationBlock = { _, _ in }
    _ = try Realm(configuration: configuration)
    try Realm.close(configuration)
    let all = log.lines.wait(for: 5)
    #expect(lines(log, "info The store was opened.").count == 2)
    #expect(lines(log, "info The store was closed.").count == 2)
    let migrations = lines(log, "info The file was migrated.")
    #expect(migrations.count == 1)
    #expect(migrations.first?.contains("from=1") == true)
    #expect(migrations.first?.contains("to=4") == true)
    #expect(all.count == 5 && all.allSatisfy { $0.contains("path=\(store.path)") })
  }

  @Test func openingInMemoryStoreLogsNothing() throws {
    let log = RecordedLog(level: .info)
    var configuration = Realm.Configuration(inMemoryIdentifier: UUID().uuidString)
    configuration.logger = log.logger
    _ = try Realm(configuration: configuration)
    try Realm.close(configuration)
    #expect(log.lines.all.isEmpty)
  }

  @Test func longWaitForWriteLockIsLogged() throws {
    let log = RecordedLog(level: .info)
    try withTemporaryRealm({ $0.logger = log.logger }) { realm, store in
      let process = TestProcess(["realmHold", store.path])
      #expect(process.line() == "held")
      let end = Date() + 1.2
      // Safe because this thread does not use the process meanwhile.
      nonisolated(unsafe) let holder = process
      Thread.detachNewThread {
        while Date() < end { usleep(1000) }
        holder.go()
      }
      try realm.write { realm.create(Lantern.self, value: ["id": 1]) }
      let line = log.lines.wait(for: 2).last ?? ""
      #expect(line.contains("warning A write waited long for the write lock."))
      #expect(line.contains("process=\(process.pid)"))
      process.wait()
    }
  }

  @Test func longWriteIsLoggedOnceAndWhenItEnds() throws {
    let log = RecordedLog(level: .info)
    try withTemporaryRealm({ $0.logger = log.logger }) { realm, store in
      let core = try store.configuration.store()
      let now = Date().timeIntervalSince1970
      core.watchWrites(getpid(), now: now + 10)
      try realm.write {
        core.watchWrites(getpid(), now: now)
        core.watchWrites(getpid() + 1, now: now + 10)
        for second in 10..<15 { core.watchWrites(getpid(), now: now + Double(second)) }
      }
      try realm.write { core.watchWrites(getpid(), now: now + 20) }
      core.watchWrites(getpid(), now: now + 21)
      core.watchWrites(getpid(), now: now + 22)
      _ = log.lines.wait(for: 5)
      #expect(lines(log, "warning A write transaction has lasted long").count == 2)
      let ends = lines(log, "warning A write transaction that had lasted long has ended.")
      #expect(ends.count == 2)
    }
  }

  @Test func growthIsLoggedWhenFileDoubles() throws {
    let log = RecordedLog(level: .info)
    try withTemporaryRealm({ $0.logger = log.logger }) { realm, store in
      let core = try store.configuration.store()
      try realm.write {
        for id in 0..<800 {
          realm.create(Bulk.self, value: ["id": id, "data": Data(count: 100_000)])
        }
      }
      core.watchGrowth()
      core.watchGrowth()
      let line = log.lines.wait(for: 2).last ?? ""
      #expect(line.contains("info The file has grown."))
      #expect(lines(log, "The file has grown.").count == 1)
    }
  }
}

@Model final class Bulk: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var data: Data
}
