import Foundation
import Glibc

/// A directory for the stores of a fault test, usually in memory.
struct FaultDirectory: ~Copyable {
  let path: String
  /// Whether to keep the files, to examine a fault.
  var isKept = false

  /// - Parameter isOnDisk: Whether to use the directory for temporary files.
  init(isOnDisk: Bool = false) throws {
    let isInMemory = !isOnDisk && access("/dev/shm", W_OK) == 0
    let parent = isInMemory ? "/dev/shm" : FileManager.default.temporaryDirectory.path
    path = "\(parent)/varve-faults-\(UUID().uuidString)"
    try make("")
  }

  /// Creates a directory in it, or itself.
  func make(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: path + "/" + name, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
  }

  deinit {
    if !isKept { try? FileManager.default.removeItem(atPath: path) }
  }

  /// How much longer than usual the tests run.
  static let rounds =
    ProcessInfo.processInfo.environment["VARVE_FAULT_ROUNDS"].flatMap { Int($0) } ?? 1
}
