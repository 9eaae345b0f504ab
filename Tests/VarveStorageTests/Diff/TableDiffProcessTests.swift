import Testing
import VarveStorage
import VarveTestSupport

@Suite struct TableDiffProcessTests {
  @Test func commitsOfOtherProcessAreCompared() throws {
    try withStore { environment, directory in
      let old = try putRows(environment, 0..<500)
      let process = TestProcess(["commit", directory.file(), "50"])
      #expect(process.line() == "ready")
      process.go()
      #expect(process.line() == "strangers 0")
      let new = try environment.snapshot()
      let changes = try old.recordedChanges(to: new, in: .catalog).map {
        String(decoding: $0.key, as: UTF8.self)
      }
      #expect(changes == ["last", "process \(process.pid)"])
      #expect(try old.changedTables(to: new) == [.catalog])
      #expect(try old.changedIDs(to: new, in: dogs) == [])
    }
  }
}
