import Foundation
import VarveCore
import VarveStorage

/// Runs a test with the options for a store in a separate directory.
func withTemporaryOptions<R>(_ body: (StoreOptions) throws -> R) throws -> R {
  let directory = FileManager.default.temporaryDirectory
    .appending(path: "varve-test-\(UUID().uuidString)")
  try FileManager.default.createDirectory(
    at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  defer { try? FileManager.default.removeItem(at: directory) }
  var options = StoreOptions(path: directory.appending(path: "test.varve").path)
  options.durability = .none
  options.mapReservation = 1 << 30
  // Views do not move while a test runs.
  options.idleLimit = .seconds(3600)
  return try body(options)
}

/// Runs a test with a store in a separate directory, and checks the file at the end.
func withTemporaryStore(_ body: (Store) throws -> Void) throws {
  try withTemporaryOptions { options in
    let store = try StoreRegistry.shared.open(options)
    do {
      try body(store)
      try StructureWalk.check(try store.newestSnapshot())
      try StoreRegistry.shared.close(store)
    } catch {
      try StoreRegistry.shared.close(store)
      throw error
    }
  }
}

/// Makes a version with arbitrary contents.
@discardableResult
func makeVersion(_ store: Store, _ number: UInt64 = 1) throws -> Snapshot {
  let transaction = try store.environment.beginWrite(timeout: .seconds(10))
  transaction.root.nextObjectID += number
  return try transaction.commit()
}
