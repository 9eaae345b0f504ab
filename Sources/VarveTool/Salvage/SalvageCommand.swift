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
      nothing was lost, 1 when the new store lacks something, 2 when nothing was rescued, and 64 for \
      invalid arguments. No new store exists after exit code 2.
      """)

  @Argument(help: "The damaged store.", completion: .file(extensions: ["varve"]))
  var file: String

  @Argument(help: "The new store. No file may exist there.", completion: .file())
  var output: String

  @Flag(name: .shortAndLong, help: "Print nothing but errors.")
  var quiet = false

  func run() throws {
    let report = try ToolError.exiting(with: 2) {
      let bar = SharedProgressBar("Salvage", isShown: !quiet)
      defer { bar.clear() }
      return try Realm.salvage(
        from: URL(fileURLWithPath: file), to: URL(fileURLWithPath: output)
      ) { bar.update($0.completedUnits, $0.totalUnits) }
    }
    if !quiet { try Terminal.standard.print("\(report)") }
    guard report.isComplete else {
      throw ToolError("The new store is not complete.\n  \(output)")
    }
  }
}
