import ArgumentParser
import Foundation
import Varve
import VarveCore
import VarveJSONLines
import VarveStorage

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

      With --replace, the copy is written to COPY.new, and renamed over the earlier copy after the \
      check: if the command fails, or the new copy has problems, the earlier one stays.
      """)

  @Argument(help: "The store.", completion: .file(extensions: ["varve"]))
  var file: String

  @Argument(
    help: "The copy. No file may exist there, unless --replace is given.", completion: .file())
  var copy: String

  @Flag(help: "Replace an earlier copy that no process has open, once the new one is checked.")
  var replace = false

  @Flag(name: .customLong("no-check"), help: "Do not check the copy.")
  var isUnchecked = false

  @Flag(help: "Print the result as one JSON object.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print nothing but errors.")
  var quiet = false

  func validate() throws {
    if copy == "-" { throw ValidationError("A copy is a file; “-” is not supported.") }
  }

  func run() throws {
    let checked = try ToolError.exiting(with: 2) {
      let stop = try StopRequest()
      let start = ContinuousClock.now
      let place = replace ? temporaryPlace : copy
      if replace { try prepareReplacement() }
      try write(to: place, stop)
      let duration = ContinuousClock.now - start
      let byteCount = DiskUsage.bytes(of: place)
      let report = try isUnchecked ? nil : check(place, stop)
      if replace, report?.isSound ?? true { try replaceCopy(by: place) }
      if !quiet { try Terminal.standard.print(text(report, byteCount, duration)) }
      return report
    }
    guard let report = checked, !report.isSound else { return }
    throw ToolError(
      "The copy has \(Quantity.count(report.problemCount, "problem")); “varve check” prints them.\n"
        + "  \(replace ? temporaryPlace : copy)")
  }

  /// The path of the new copy while an earlier one exists.
  private var temporaryPlace: String { URL(fileURLWithPath: copy).path + ".new" }

  private func check(_ place: String, _ stop: StopRequest) throws -> Realm.CheckReport {
    try StoreLocation(place).check(showingProgress: !quiet) {
      if stop.isMade {
        throw ToolError("The check was stopped. The copy is complete.\n  \(place)")
      }
    }
  }

  /// Checks that the earlier copy is one, and removes what an earlier command left.
  private func prepareReplacement() throws {
    let (path, place) = (URL(fileURLWithPath: copy).path, temporaryPlace)
    let store = FileIdentity(path: URL(fileURLWithPath: file).path)
    for replaced in [path, place] where store != nil && FileIdentity(path: replaced) == store {
      throw ToolError("The copy would replace the store.\n  \(replaced)")
    }
    for earlier in [path, place] where FileIdentity(path: earlier) != nil {
      do throws(StorageError) {
        _ = try RootRecord.read(path: earlier)
      } catch {
        guard error.code == .notADatabase else { throw error }
        throw ToolError("The file in the place of the copy is not a store.\n  \(earlier)")
      }
    }
    _ = try Environment.remove(EnvironmentOptions(path: place))
  }

  private func replaceCopy(by place: String) throws {
    let path = URL(fileURLWithPath: copy).path
    try Environment.replace(EnvironmentOptions(path: path), byCopy: place)
  }

  private func write(to place: String, _ stop: StopRequest) throws {
    let bar = SharedProgressBar("Copy", isShown: !quiet)
    defer { bar.clear() }
    let watch = WorkWatch { done, total in
      if stop.isMade { throw ToolError("The copy was stopped, and removed.") }
      bar.update(done, total)
    }
    let path = URL(fileURLWithPath: place).path
    try StoreVersion.read(file) { version in
      try watch.run { try version.store.copy(to: path, watch: watch) }
    }
  }

  private func text(
    _ report: Realm.CheckReport?, _ byteCount: Int, _ duration: Duration
  ) -> String {
    if json {
      return JSONWriter.object { json in
        json.member("bytes", byteCount)
        json.member("seconds", duration)
        json.member("objects", orNull: report?.objectCount)
        json.member("sound", orNull: report?.isSound)
      }
    }
    let copied = "\(Quantity.bytes(byteCount)) in \(Quantity.duration(duration))"
    guard let report else { return "\(copied), not checked" }
    let result = report.isSound ? "no problems" : Quantity.count(report.problemCount, "problem")
    return "\(copied), \(Quantity.count(report.objectCount, "object")), \(result)"
  }
}
