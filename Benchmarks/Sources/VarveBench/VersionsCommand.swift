import ArgumentParser
import LibraryVersions

/// Tells the versions of the libraries that engines are linked with.
struct VersionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "versions", abstract: "Tells the versions of LMDB and SQLite.")

  func run() {
    print("LMDB \(String(cString: version_of_lmdb()))")
    print("SQLite \(String(cString: version_of_sqlite()))")
  }
}
