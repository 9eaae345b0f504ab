import BenchmarkKit
import Dispatch
import Foundation

/// A directory for the stores of one run, which is removed with its contents when the run ends or
/// is interrupted.
///
/// Thread safety: any thread.
final class RunDirectory: Sendable {
  let path: String

  /// - Parameter parent: An existing directory.
  init(in parent: String) throws {
    path = "\(parent)/varve-bench-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  }

  func remove() { try? FileManager.default.removeItem(atPath: path) }

  /// Installs handlers of SIGINT and SIGTERM that kill workers and remove the directory.
  ///
  /// - Parameter workers: The workers with stores in the directory. Their children end with them.
  /// - Returns: The signal sources. The handlers are active for as long as the caller retains them.
  func removeWhenInterrupted(ending workers: [WorkerProcess]) -> [any DispatchSourceSignal] {
    let numbers = workers.map(\.processID)
    return [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { [self] in
        for process in numbers { kill(process, SIGKILL) }
        // A child may create another file before it ends.
        for _ in 0..<20 where FileManager.default.fileExists(atPath: path) {
          remove()
          usleep(50_000)
        }
        _exit(128 + number)
      }
      source.activate()
      return source
    }
  }
}
