import ArgumentParser
import Foundation
import Varve

/// Rescues what can be read of a damaged store.
struct SalvageCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "salvage",
    abstract: "Rescues what can be read of a damaged store into a new one.",
    discussion: """
      The damaged file is only read; no process may have it open. The new store has all classes, \
      objects and indexes that can be rescued. The output says what is lost. The exit code is 0 when \
      nothing was lost, 1 when the new store lacks something or the report cannot be printed, 2 when \
      no new store was made, and 64 for invalid arguments. SIGINT and SIGTERM stop the salvage, \
      which leaves no files then.
      """)

  @Argument(help: "The damaged store.", completion: .file(extensions: ["varve"]))
  var file: String

  @Argument(help: "The new store. No file may exist there.", completion: .file())
  var output: String

  @Flag(help: "Print the report as one JSON object.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print nothing but errors.")
  var quiet = false

  func run() throws {
    let report = try ToolError.exiting(with: 2) {
      let bar = SharedProgressBar("Salvage", isShown: !quiet)
      defer { bar.clear() }
      let stop = try StopRequest()
      return try Realm.salvage(
        from: URL(fileURLWithPath: file), to: URL(fileURLWithPath: output)
      ) {
        if stop.isMade { throw ToolError("The salvage was stopped. No new store was made.") }
        bar.update($0.completedUnits, $0.totalUnits)
      }
    }
    let result =
      report.isComplete ? "The new store is complete." : "The new store is not complete."
    do {
      if !quiet { try Terminal.standard.print(json ? report.json : report.description) }
    } catch {
      // The new store exists nevertheless.
      throw ToolError("\(result) \(error)\n  \(output)")
    }
    guard report.isComplete else { throw ToolError("\(result)\n  \(output)") }
  }
}
