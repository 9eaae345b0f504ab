import ArgumentParser
import Foundation
import Varve
import VarveCore
import VarveJSONLines

/// Copies a store while other processes write to it.
struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copies a store while other processes write to it, and checks the copy.",
    discussion: """
      The copy contains the newest version, without free pages. It is written under a temporary name, \
      synchronized to disk and renamed, so that it is complete or absent; then it is checked as “varve \
      check” does, which leaves the files COPY-lock and COPY-signal beside it, as each opening of a store \
      does. The exit code is 0 for a copy without problems, 1 for one with problems, 2 when no \
      copy was made, or it could not be checked, and 64 for invalid arguments. SIGINT and SIGTERM stop \
      the copy, which leaves no files then.
      """)

  @Argument(help: "The store.", completion: .file(extensions: ["varve"]))
  var file: String

  @Argument(help: "The copy. No file may exist there.", completion: .file())
  var copy: String

  @Flag(name: .customLong("no-check"), help: "Do not check the copy.")
  var isUnchecked = false

  @Flag(help: "Print the result as one JSON object.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print nothing but errors.")
  var quiet = false

  func run() throws {
    let checked = try ToolError.exiting(with: 2) {
      let stop = try StopRequest()
      let start = ContinuousClock.now
      try write(stop)
      let duration = ContinuousClock.now - start
      let report =
        try isUnchecked
        ? nil
        : StoreLocation(copy).check(showingProgress: !quiet) {
          if stop.isMade { throw ToolError("The check was stopped. The copy is complete.") }
        }
      if !quiet { try Terminal.standard.print(text(report, duration)) }
      return report
    }
    guard let report = checked, !report.isSound else { return }
    throw ToolError(
      "The copy has \(Quantity.count(report.problemCount, "problem")); “varve check” prints them.\n"
        + "  \(copy)")
  }

  private func write(_ stop: StopRequest) throws {
    let bar = SharedProgressBar("Copy", isShown: !quiet)
    defer { bar.clear() }
    let watch = WorkWatch { done, total in
      if stop.isMade { throw ToolError("The copy was stopped, and removed.") }
      bar.update(done, total)
    }
    let path = URL(fileURLWithPath: copy).path
    try StoreVersion.read(file) { version in
      try watch.run { try version.store.copy(to: path, watch: watch) }
    }
  }

  private func text(_ report: Realm.CheckReport?, _ duration: Duration) -> String {
    if json {
      return JSONWriter.object { json in
        json.member("bytes", DiskUsage.bytes(of: copy))
        json.member("seconds", duration)
        json.member("objects", orNull: report?.objectCount)
        json.member("sound", orNull: report?.isSound)
      }
    }
    let size = Quantity.bytes(DiskUsage.bytes(of: copy))
    let copied = "\(size) in \(Quantity.duration(duration))"
    guard let report else { return "\(copied), not checked" }
    let result = report.isSound ? "no problems" : Quantity.count(report.problemCount, "problem")
    return "\(copied), \(Quantity.count(report.objectCount, "object")), \(result)"
  }
}
