import ArgumentParser
import LibraryVersions

/// Prints the versions of the libraries with which the engines are linked.
struct VersionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "versions", abstract: "Prints the versions of LMDB and SQLite.")

  func run() {
    print("LMDB \(String(cString: version_of_lmdb()))")
    print("SQLite \(String(cString: version_of_sqlite()))")
  }
}
