import ArgumentParser
import Foundation
import Varve
import VarveCore
import VarveJSONLines
import VarveLocks

/// Rewrites a store without its free pages.
struct CompactCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact",
    abstract: "Rewrites a store without its free pages.",
    discussion: """
      No process may have the store open. The new file replaces the old one when it is complete, and \
      its versions form another history. A store whose pages were leaked (see “varve check”) is not \
      compacted. To compact a store that is in use, make a copy with “varve backup”, and replace the \
      file by it while no process has it open.
      """)

  @Argument(help: "The store.", completion: .file(extensions: ["varve"]))
  var file: String

  @Flag(help: "Print the sizes as one JSON object.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print nothing but errors.")
  var quiet = false

  func run() throws {
    try ToolError.translating {
      let path = URL(fileURLWithPath: file).path
      let oldBytes = DiskUsage.bytes(of: path)
      switch try compact(path) {
      case .failed(let failure): throw failed(failure, path)
      case .inUse: throw try refusal(path)
      case .compacted: break
      }
      if !quiet {
        let newBytes = DiskUsage.bytes(of: path)
        try Terminal.standard.print(
          json
            ? JSONWriter.object {
              $0.member("bytesBefore", oldBytes)
              $0.member("bytesAfter", newBytes)
            }
            : "\(Quantity.bytes(oldBytes)) before, \(Quantity.bytes(newBytes)) after")
      }
    }
  }

  private func failed(_ failure: Failure, _ path: String) -> ToolError {
    var failure = failure
    failure.path = nil
    let reason = ToolError(Realm.Error(failure)).description
    return ToolError(
      "The store was not compacted, and is unchanged.\n  \(path)\n  "
        + reason.replacingOccurrences(of: "\n", with: "\n  "))
  }

  /// Returns the reason why a store that another process uses was not compacted.
  private func refusal(_ path: String) throws -> ToolError {
    let processes = try StoreReport(inspecting: path).readers.map { "process \($0.process)" }
    guard !processes.isEmpty else {
      return ToolError(
        "The store was not compacted: another process had it open. Try again.\n  \(path)")
    }
    return ToolError(
      "The store is in use; no process may have it open.\n  \(path)\n  "
        + processes.joined(separator: ", "))
  }

  private enum Outcome: Sendable { case inUse, compacted, failed(Failure) }

  /// Opens the store, which compacts it unless another process has it open.
  private func compact(_ path: String) throws -> Outcome {
    let bar = SharedProgressBar("Compact", isShown: !quiet)
    defer { bar.clear() }
    let stop = try StopRequest()
    let outcome = Lock(Outcome.inUse)
    let watch = WorkWatch { done, total in
      if stop.isMade { throw ToolError("The compaction was stopped. The store is unchanged.") }
      bar.update(done, total)
    }
    var options = StoreOptions(path: path)
    options.createsFile = false
    options.workWatch = watch
    options.shouldCompact = { _, _ in
      outcome.withLock { $0 = .compacted }
      return true
    }
    options.compactionFailed = { failure in outcome.withLock { $0 = .failed(failure) } }
    try watch.run { try Store(options: options).close() }
    return outcome.withLock { $0 }
  }
}
