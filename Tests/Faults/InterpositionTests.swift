import CTestFaults
import Glibc
import Testing
import VarveTestSupport

/// The calls of liblmdb and of Varve reach the functions of CTestFaults.
@Suite(.enabled(if: fault_is_supported() != 0)) struct InterpositionTests {
  private func record(_ environment: [String]) throws -> ([FaultOperation], Int32, [String]) {
    let directory = try FaultDirectory()
    try directory.make("recorded")
    let recorded = directory.path + "/recorded"
    let log = directory.path + "/log"
    let process = TestProcess(
      ["faultWork", recorded + "/store.varve", "1", "2"],
      environment: ["VARVE_FAULT_DIRECTORY=\(recorded)", "VARVE_FAULT_LOG=\(log)"] + environment)
    let lines = process.lines()
    let status = process.wait()
    return (try FaultLog.read(path: log), status, lines)
  }

  @Test func operationsOfTheEngineAreRecorded() throws {
    let (operations, status, _) = try record([])
    #expect(status == 0)
    // LMDB writes durably only to the meta page of a new file, and marks and seals are parts of meta
    // pages.
    let metaWrites = operations.filter { $0.kind == .write && $0.isDurable }
    #expect(metaWrites.count >= 1)
    #expect(metaWrites.allSatisfy { $0.offset < 8192 && $0.bytes.count < 512 })
    #expect(operations.contains { $0.kind == .write && [24, 24 + 4096].contains($0.offset) })
    #expect(operations.contains { $0.kind == .write && [160, 160 + 4096].contains($0.offset) })
    #expect(operations.contains { $0.kind == .rename && $0.target.hasSuffix("/store.varve") })
    #expect(operations.contains { $0.kind == .sync && $0.isDirectory })
    #expect(operations.contains { $0.kind == .content && $0.path.hasSuffix("-signal") })
    #expect(operations.filter { $0.kind == .acknowledge }.map(\.offset) == [1, 2])
  }

  @Test func plannedOperationKills() throws {
    let (all, _, _) = try record([])
    let count = all.count { $0.kind == .sync }
    let (operations, status, _) = try record(["VARVE_FAULT_PLAN=sync:\(count - 1):killBefore"])
    #expect(status & 0x7F == SIGKILL)
    #expect(operations.count { $0.kind == .sync } == count - 2)
  }

  @Test func killedWriteEndsBetweenPages() throws {
    let (all, _, _) = try record([])
    let writes = all.filter { $0.kind == .write }
    let number = try #require(writes.firstIndex { $0.bytes.count >= 8192 })
    let (operations, status, _) = try record(["VARVE_FAULT_PLAN=write:\(number + 1):killWithin"])
    #expect(status & 0x7F == SIGKILL)
    let last = try #require(operations.last { $0.kind == .write })
    #expect(operations.count { $0.kind == .write } == number + 1)
    #expect(last.offset == writes[number].offset)
    #expect(last.bytes.count == writes[number].bytes.count / 2 & ~4095)
  }

  @Test func plannedOperationFails() throws {
    let (all, _, _) = try record([])
    let count = all.count { $0.kind == .sync }
    let (_, status, lines) = try record(["VARVE_FAULT_PLAN=sync:\(count):fail:5"])
    #expect(status == 0)
    #expect(lines.contains { $0.hasPrefix("failed 2") && $0.contains("syncFailed") })
  }
}
