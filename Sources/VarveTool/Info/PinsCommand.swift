import ArgumentParser

/// Prints the versions of a store that processes pin.
struct PinsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pins",
    abstract: "Prints the versions of a store that processes pin.",
    discussion: """
      The pages that a pinned version needs are not reused, and the file grows meanwhile. Each line is a \
      version and a process: the number of newer versions, the time since the first of them, and the \
      bytes that would be free without the pin. The holders in the process itself are reported by \
      Realm.storageReport() there.
      """)

  @Argument(help: "The store.", completion: .file(extensions: ["varve"]))
  var file: String

  @Flag(help: "Print JSON Lines.")
  var json = false

  func run() throws {
    let report = try StoreReport(inspecting: file)
    guard report.knowsReaders else {
      throw ToolError(
        "The pinned versions are unknown: the lock file cannot be opened.\n  \(report.path)-lock")
    }
    try StandardOutput.printing { output in
      if json {
        for reader in report.readers { try output.line(reader.json) }
      } else {
        for line in report.readerLines() { try output.line(line) }
      }
    }
  }
}
