import ArgumentParser
import BenchmarkKit
import Foundation

/// The second process of a measurement: it commits, and tells when.
struct WriteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: WriterProcess.command,
    abstract: "Commits to a store that “measure” observes; started by it.", shouldDisplay: false)

  @Argument(help: "The engine.")
  var engine: String

  @Argument(help: "Where the store is.")
  var directory: String

  @Argument(help: "How many commits to make.")
  var commits: Int

  @Argument(help: "How many milliseconds to wait before each.")
  var pause: Int

  func run() throws {
    guard let type = BenchCommand.engines[engine] else {
      throw ValidationError("There is no engine “\(engine)”.")
    }
    let store = try type.init(directory: URL(fileURLWithPath: directory, isDirectory: true))
    let made = try store.commit(commits, pause: .milliseconds(pause), isDurable: true)
    try store.close()
    FileHandle.standardOutput.write(try JSONEncoder().encode(made))
  }
}
