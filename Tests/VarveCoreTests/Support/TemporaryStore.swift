import Foundation
import VarveCore

/// Runs a test with the options for a store in a directory of its own.
func withTemporaryOptions<R>(_ body: (StoreOptions) throws -> R) throws -> R {
  let directory = FileManager.default.temporaryDirectory
    .appending(path: "varve-test-\(UUID().uuidString)")
  try FileManager.default.createDirectory(
    at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  defer { try? FileManager.default.removeItem(at: directory) }
  var options = StoreOptions(path: directory.appending(path: "test.varve").path)
  options.durability = .none
  options.mapReservation = 1 << 30
  return try body(options)
}
