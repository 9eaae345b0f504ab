import Foundation
import Testing
import Varve
import VarveTesting

@Suite struct TemporaryRealmTests {
  @Test(.temporaryRealm, arguments: 0..<8)
  func eachCaseHasSeparateStore(_ number: Int) async throws {
    try await addNote("\(number)")
    let realm = try Realm()
    #expect(realm.objects(Note.self).map(\.text) == ["\(number)"])
    #expect(Realm.Configuration.defaultConfiguration.inMemoryIdentifier != nil)
  }

  @Test func concurrentlyOpenStoresAreSeparate() async throws {
    try await withThrowingTaskGroup(of: [String].self) { group in
      for number in 0..<16 {
        group.addTask {
          try await withTemporaryRealm { realm in
            try await addNote("\(number)")
            // A child task inherits the store.
            async let other: Void = addNote("again")
            try await other
            try realm.refresh()
            return realm.objects(Note.self).map(\.text)
          }
        }
      }
      var first: Set<String> = []
      for try await texts in group {
        #expect(texts.count == 2 && texts.last == "again")
        first.formUnion(texts.prefix(1))
      }
      #expect(first == Set((0..<16).map(String.init)))
    }
  }

  @Test func defaultConfigurationIsLocalToTest() throws {
    let outside = Realm.Configuration.defaultConfiguration
    try withTemporaryRealm { realm in
      let name = Realm.Configuration.defaultConfiguration.inMemoryIdentifier
      #expect(name != nil && realm.configuration.inMemoryIdentifier == name)
      Realm.Configuration.defaultConfiguration.schemaVersion = 7
      #expect(Realm.Configuration.defaultConfiguration.schemaVersion == 7)
      try withTemporaryRealm { _ in
        #expect(Realm.Configuration.defaultConfiguration.inMemoryIdentifier != name)
      }
      #expect(Realm.Configuration.defaultConfiguration.inMemoryIdentifier == name)
    }
    #expect(Realm.Configuration.defaultConfiguration.schemaVersion == outside.schemaVersion)
    #expect(Realm.Configuration.defaultConfiguration.fileURL == outside.fileURL)
  }

  @Test(.temporaryRealm) func writeInheritsDefaultConfigurationOfTask() async throws {
    let realm = try Realm()
    try await realm.write { try Realm().add(Note(value: ["text": "a"])) }
    try await realm.asyncWrite { try Realm().add(Note(value: ["text": "b"])) }
    try await withCheckedThrowingContinuation { (written: CheckedContinuation<Void, any Error>) in
      realm.writeAsync {
        try Realm().add(Note(value: ["text": "c"]))
      } onComplete: { error in
        written.resume(with: error.map { .failure($0) } ?? .success(()))
      }
    }
    try realm.refresh()
    #expect(realm.objects(Note.self).map(\.text) == ["a", "b", "c"])
  }

  @Test func threadHasDefaultConfigurationOfProcess() throws {
    try withTemporaryRealm { _ in
      let read = DispatchSemaphore(value: 0)
      nonisolated(unsafe) var name: String? = "unread"
      Thread {
        name = Realm.Configuration.defaultConfiguration.inMemoryIdentifier
        read.signal()
      }.start()
      read.wait()
      #expect(name == nil)
    }
  }

  @Test func storeIsClosedAtEnd() async throws {
    let kept = try withTemporaryRealm { realm in
      try realm.write { realm.add(Note(value: ["text": "Buy bread"])) }
      return realm
    }
    // Its version can be read until the end.
    #expect(kept.objects(Note.self).count == 1)
    do {
      try await kept.write { kept.deleteAll() }
      Issue.record("A closed store was written to.")
    } catch let error as Realm.Error {
      #expect(error.code == .closed)
    }
  }

  @Test func errorsOfBodyAreRethrown() async throws {
    struct Failure: Error {}
    #expect(throws: Failure.self) { try withTemporaryRealm { _ in throw Failure() } }
    do {
      try await withTemporaryRealm { _ in
        await Task.yield()
        throw Failure()
      }
      Issue.record("Nothing was thrown.")
    } catch is Failure {
    }
  }

  @Test func openWriteAtEndThrowsBusy() throws {
    var left: Realm?
    do {
      try withTemporaryRealm { realm in
        try realm.beginWrite()
        left = realm
      }
      Issue.record("An open write was let go.")
    } catch let error as Realm.Error {
      #expect(error.code == .busy)
    }
    let realm = try #require(left)
    realm.cancelWrite()
    try Realm.close(realm.configuration)
  }

  @Test func directoryIsRemovedWithStore() throws {
    let file = try withTemporaryRealm(in: .directory) { realm in
      try realm.write { realm.add(Note(value: ["text": "Buy bread"])) }
      let file = try #require(realm.configuration.fileURL)
      #expect(FileManager.default.fileExists(atPath: file.path))
      return file
    }
    #expect(!FileManager.default.fileExists(atPath: file.deletingLastPathComponent().path))
  }

  @Test func storesLeakNeitherDescriptorsNorThreads() async throws {
    func use() async throws {
      try await withTemporaryRealm { realm in
        let token = try realm.objects(Note.self).observe { _ in }
        try await realm.write { realm.add(Note(value: ["text": "Buy bread"])) }
        token.invalidate()
      }
    }
    func descriptors() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }
    func storeThreads() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").filter {
        let name = try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)
        return name?.hasPrefix("varve.") ?? false
      }.count
    }
    try await use()
    // The first sleep of a process opens additional descriptors.
    try await Task.sleep(for: .milliseconds(10))
    let before = try descriptors()
    for _ in 0..<100 { try await use() }
    // A delivery may retain its store a little longer.
    for _ in 0..<500 where try descriptors() > before || storeThreads() > 4 {
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(try descriptors() <= before)
    #expect(try storeThreads() <= 4)
  }
}
