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
    #expect(
      try UnfinishedCommit.resolve(
        path: store.path, failedID: id, mayWrite: true, isRead: { () throws(StorageError) in false }
      ))
    #expect(try !store.hasCommit("failed"))
  }

  /// The process that failed can open the store again, although it retains a version.
  @Test func storeIsOpenedAgainAfterFailedSync() throws {
    let store = DurableStore()
    let environment = try store.open()
    let snapshot = try environment.write { try $0.put(.catalog, key: "before", "1") }
    environment.signalPage?.failedID = snapshot.transactionID
    expectError(.syncFailed) { try environment.write { try $0.put(.catalog, key: "x", "1") } }
    try environment.close()
    let again = try store.open()
    #expect(again !== environment)
    try again.write { try $0.put(.catalog, key: "x", "1") }
    try again.close()
    withExtendedLifetime(snapshot) {}
  }
}
