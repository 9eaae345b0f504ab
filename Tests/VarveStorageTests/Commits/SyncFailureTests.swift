import CTestFaults
import Glibc
import Testing
import VarveTestSupport

@testable import VarveStorage

/// Commits that could not be synchronized.
@Suite(.enabled(if: fault_is_supported() != 0)) struct SyncFailureTests {
  @Test func failedSyncEndsWritesOfAllProcesses() throws {
    let store = DurableStore()
    let environment = try store.open()
    let process = try store.process(fault_sync, 1, fault_fail)
    process.go()
    #expect(process.line() == "syncFailed")
    // Reads continue with the version before.
    #expect(try environment.snapshot().text(.catalog, key: "after") == nil)
    #expect(try environment.snapshot().text(.catalog, key: "before") != nil)
    expectError(.syncFailed) { try environment.write { try $0.put(.catalog, key: "x", "1") } }
    process.go()
    #expect(process.line() == "syncFailed")
    // A process that opens the store now can only read, too.
    try environment.close()
    let again = try store.open()
    expectError(.syncFailed) { try again.write { try $0.put(.catalog, key: "x", "1") } }
    #expect(try again.snapshot().text(.catalog, key: "after") == nil)
    process.go()
    #expect(process.line() == "closed")
    try again.close()
    // Its pages may be in the page cache only.
    #expect(try !store.hasCommit("after the failure"))
    #expect(try !store.hasCommit("again"))
  }

  /// The commit is taken back although the seal holds.
  @Test func failedCommitIsNotExamined() throws {
    let (_, image, id) = try DurableStore.bytesAroundCommit()
    let store = DurableStore()
    try store.write(image)
    #expect(try UnfinishedCommit.resolve(path: store.path, failedID: id, mayWrite: true))
    #expect(try !store.hasCommit("failed"))
  }

  /// An opening that cannot synchronize the last commit does not accept it later.
  @Test func failedSyncOfOpeningIsRecorded() throws {
    let (_, image, _) = try DurableStore.bytesAroundCommit()
    let store = DurableStore()
    try store.write(image)
    fault_watch(store.directory.path)
    defer { fault_watch(nil) }
    // The first calls are those of the new signal file and its directory.
    var number: Int64 = 1
    while number < 10 {
      fault_arm(
        fault_plan(
          kind: Int32(fault_sync.rawValue), action: Int32(fault_fail.rawValue), number: number,
          error: 5, is_permanent: 0))
      if errorCode({ try store.open().close() }) == .syncFailed { break }
      number += 1
      try store.write(image)
    }
    fault_arm(fault_plan())
    #expect(number < 10)
    #expect(try !store.hasCommit("not synchronized"))
  }

  /// The process that failed can open the store again, although it retains a version.
  @Test func storeIsOpenedAgainAfterFailedSync() throws {
    let store = DurableStore()
    let environment = try store.open()
    try environment.write { try $0.put(.catalog, key: "before", "1") }
    let snapshot = try environment.write { try $0.put(.catalog, key: "after", "1") }
    environment.signalPage?.failedID = snapshot.transactionID
    environment.signalPage?.durableID = snapshot.transactionID - 1
    expectError(.syncFailed) { try environment.write { try $0.put(.catalog, key: "x", "1") } }
    try environment.close()
    let again = try store.open()
    #expect(again !== environment)
    #expect(try again.snapshot().text(.catalog, key: "after") == nil)
    try again.write { try $0.put(.catalog, key: "x", "1") }
    try again.close()
    withExtendedLifetime(snapshot) {}
  }
}
