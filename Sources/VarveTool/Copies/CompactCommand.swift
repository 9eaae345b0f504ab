import ArgumentParser
import Foundation
import VarveCore
import VarveJSONLines
import VarveLocks
import VarveStorage

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
      let before = FileIdentity(path: path)
      let oldBytes = DiskUsage.bytes(of: path)
      guard try isCompacted(path) else { throw try refusal(path) }
      guard FileIdentity(path: path) != before else {
        throw ToolError("The store was not compacted.\n  \(path)")
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

  /// Returns the reason why a store was not compacted.
  private func refusal(_ path: String) throws -> ToolError {
    let processes = try StoreReport(inspecting: path).readers.map { "process \($0.process)" }
    guard !processes.isEmpty else {
      return ToolError(
        "The store was not compacted: another process had it open, or it is damaged. Try again, or run “varve check”.\n"
          + "  \(path)"
      )
    }
    return ToolError(
      "The store is in use; no process may have it open.\n  \(path)\n  "
        + processes.joined(separator: ", "))
  }

  /// Opens the store, which compacts it.
  ///
  /// - Returns: Whether it could be compacted: no other process has it open, and its pages are
  ///   sound.
  private func isCompacted(_ path: String) throws -> Bool {
    let bar = SharedProgressBar("Compact", isShown: !quiet)
    defer { bar.clear() }
    let stop = try StopRequest()
    let isAlone = Lock(false)
    let watch = WorkWatch { done, total in
      if stop.isMade { throw ToolError("The compaction was stopped. The store is unchanged.") }
      bar.update(done, total)
    }
    var options = StoreOptions(path: path)
    options.createsFile = false
    options.workWatch = watch
    options.shouldCompact = { _, _ in
      isAlone.withLock { $0 = true }
      return true
    }
    try watch.run { try Store(options: options).close() }
    return isAlone.withLock { $0 }
  }
}
