import Glibc
import Testing
import VarveStorage
import VarveTestSupport

@Suite struct CopyingTests {
  @Test func copyHasNewestVersionAndNewHistory() throws {
    try withStore { environment, directory in
      let snapshot = try environment.write { transaction in
        _ = try transaction.openTable(dogs, create: true)
        for id in UInt64(0)..<500 {
          try transaction.put(dogs, id: id, [UInt8](repeating: 1, count: 100))
        }
      }
      try environment.copy(to: directory.file("copy"))
      var file = stat()
      #expect(stat(directory.file("copy"), &file) == 0 && file.st_mode & 0o777 == 0o600)
      let copy = try Environment.open(testOptions(directory.file("copy")))
      let copied = try copy.snapshot()
      #expect(copied.count(dogs) == 500)
      #expect(copied.version.counter >= snapshot.version.counter)
      #expect(copied.version.incarnation != snapshot.version.incarnation)
      #expect(copied.version.isNewer(than: snapshot.version) == nil)
      #expect(copy.fileKey == environment.fileKey)
      try copy.close()
    }
  }

  @Test func copiesDuringWritesAreConsistent() throws {
    try withStore { environment, directory in
      let process = TestProcess(["commit", directory.file(), "1000000000"])
      #expect(process.line() == "ready")
      process.go()
      for number in 0..<5 {
        // The other process commits before each copy and after the last.
        try waitForCommit(environment)
        try environment.copy(to: directory.file("copy \(number)"))
        let copy = try Environment.open(testOptions(directory.file("copy \(number)")))
        try StructureWalk.check(try copy.snapshot())
        try copy.close()
      }
      try waitForCommit(environment)
      process.kill()
    }
  }

  private func waitForCommit(_ environment: Environment) throws {
    let before = try environment.snapshot().version.counter
    let deadline = ContinuousClock.now + .seconds(60)
    while try environment.snapshot().version.counter == before {
      try #require(ContinuousClock.now < deadline)
      sched_yield()
    }
  }

  @Test func copyReplacesNoFile() throws {
    try withStore { environment, directory in
      try write("precious", to: directory.file("victim"))
      expectError(.fileExists) { try environment.copy(to: directory.file("victim")) }
      #expect(try read(directory.file("victim")) == "precious")
      expectError(.fileNotFound) { try environment.copy(to: directory.path + "/missing/copy") }
    }
  }

  @Test func copyInsideWriteOfSameThreadIsRefused() throws {
    try withStore { environment, directory in
      let transaction = try environment.beginWrite(timeout: .seconds(1))
      expectError(.badTransaction) { try environment.copy(to: directory.file("copy")) }
      transaction.abort()
    }
  }
}
