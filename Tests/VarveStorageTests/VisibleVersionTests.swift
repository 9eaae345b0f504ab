import Glibc
import Testing
import VarveTestSupport

@testable import VarveStorage

/// The id of the newest version, read from LMDB's lock file.
@Suite struct VisibleVersionTests {
  @Test func visibleVersionIsNewestCommit() throws {
    try withStore { environment, _ in
      for number in 0..<20 {
        let snapshot = try environment.write { try $0.put(.catalog, key: "\(number)", "x") }
        #expect(environment.visibleTransactionID == snapshot.transactionID)
      }
      let transaction = try environment.beginWrite(timeout: .seconds(10))
      try transaction.put(.catalog, key: "a", "b")
      let before = environment.visibleTransactionID
      transaction.abort()
      #expect(environment.visibleTransactionID == before)
    }
  }

  @Test func commitsOfOtherProcessesAreVisible() throws {
    let directory = TemporaryDirectory()
    let environment = try Environment.open(testOptions(directory.file()))
    let before = try #require(environment.visibleTransactionID)
    let process = TestProcess(["commit", directory.file(), "3"])
    #expect(process.line() == "ready")
    process.go()
    #expect(process.line()?.hasPrefix("strangers") == true)
    let after = try #require(environment.visibleTransactionID)
    #expect(after > before)
    #expect(try environment.snapshot().transactionID == after)
    process.kill()
    try environment.close()
  }

  @Test(arguments: ["plain.varve", "with space.varve", "line\nfeed.varve", "Ünïcode.varve"])
  func lockFileIsFoundByName(_ name: String) throws {
    let directory = TemporaryDirectory()
    let first = try Environment.open(testOptions(directory.file(name)))
    // Another open store has another lock file.
    let second = try Environment.open(testOptions(directory.file("other " + name)))
    for _ in 0..<5 { try second.write { try $0.put(.catalog, key: "a", "b") } }
    try first.write { try $0.put(.catalog, key: "a", "b") }
    #expect(first.visibleTransactionID == (try first.snapshot().transactionID))
    #expect(second.visibleTransactionID == (try second.snapshot().transactionID))
    #expect(first.visibleTransactionID != second.visibleTransactionID)
    for environment in [first, second] {
      let map = try #require(environment.engineMemory?.lockFileMap)
      #expect(map == VisibleVersion.listedMap(environment.path + "-lock"))
    }
    try first.close()
    try second.close()
  }

  @Test func inMemoryStoreHasVisibleVersion() throws {
    var options = testOptions("visible \(UInt64.random(in: .min ... .max))")
    options.isInMemory = true
    let environment = try Environment.open(options)
    let snapshot = try environment.write { try $0.put(.catalog, key: "a", "b") }
    #expect(environment.visibleTransactionID == snapshot.transactionID)
    try environment.close()
  }

  @Test func readersNeverGetVersionBeforeLastCommit() throws {
    try withStore { environment, _ in
      let committed = Counter()
      let isDone = Counter()
      onThreads(5) { number in
        do {
          guard number > 0 else {
            for round in 0..<400 {
              try environment.write { try $0.put(.catalog, key: "n", "\(round + 1)") }
              committed.add()
            }
            return isDone.add()
          }
          while isDone.value == 0 {
            let least = committed.value
            let read = try environment.snapshot().text(.catalog, key: "n").flatMap(Int.init) ?? 0
            if read < least { Issue.record("\(read) after the commit of \(least)") }
          }
        } catch {
          isDone.add()
          Issue.record(error)
        }
      }
    }
  }
}
