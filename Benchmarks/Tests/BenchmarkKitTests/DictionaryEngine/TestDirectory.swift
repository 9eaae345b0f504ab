import BenchmarkKit
import Dispatch
import Foundation
import Synchronization
import Testing

/// Calls the body with a new directory, and removes it.
func withDirectory(_ body: (URL) throws -> Void) throws {
  let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("varve-bench-\(UUID().uuidString)", isDirectory: true)
  try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: url) }
  try body(url)
}

/// The names of the files in a directory.
func names(in directory: URL) throws -> [String] {
  try FileManager.default.contentsOfDirectory(atPath: directory.path)
}

/// Threads of this process that replace processes. Jobs are nevertheless encoded as JSON.
func threads(_ type: (some PersonEngine).Type) -> @Sendable (URL) -> ChildProcesses {
  { directory in
    ChildProcesses { job in
      let text = try JSONEncoder().encode(job)
      let end = ThreadEnd()
      Thread {
        end.note(
          Result {
            let engine = try type.init(directory: directory, durability: .full)
            return try JSONDecoder().decode(ChildJob.self, from: text).run(engine)
          })
      }.start()
      return { try end.wait() }
    }
  }
}

private final class ThreadEnd: Sendable {
  private let result = Mutex<Result<Data, any Error>?>(nil)
  private let isThere = DispatchSemaphore(value: 0)

  func note(_ found: Result<Data, any Error>) {
    result.withLock { $0 = found }
    isThere.signal()
  }

  func wait() throws -> Data {
    isThere.wait()
    return try result.withLock { try $0?.get() } ?? Data()
  }
}

/// The error of this type that a call throws. Records an issue and returns nil when the call throws
/// nothing or another error.
@discardableResult
func expectError<E: Error, R>(
  _ type: E.Type, _ call: () throws -> R, sourceLocation: SourceLocation = #_sourceLocation
) -> E? {
  do {
    _ = try call()
    Issue.record("Nothing is thrown.", sourceLocation: sourceLocation)
  } catch let error as E {
    return error
  } catch {
    Issue.record(error, sourceLocation: sourceLocation)
  }
  return nil
}
