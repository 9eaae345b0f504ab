import Foundation

/// The source of the packages.
enum PackageSource: Equatable, Sendable {
  /// The lists of apt on this machine.
  case machine([PackageIndex])

  /// A few hundred packages that are included with the demo.
  case sample(PackageIndex)

  var indexes: [PackageIndex] {
    switch self {
    case .machine(let indexes): indexes
    case .sample(let index): [index]
    }
  }

  /// The directory in which apt keeps its lists.
  static let listDirectory = URL(fileURLWithPath: "/var/lib/apt/lists", isDirectory: true)

  /// Finds the lists of this machine. If there are none, runs `apt-get update`; if there are still
  /// none, uses the sample.
  ///
  /// - Parameter log: Receives a message before each slow operation.
  /// - Returns: At least one list.
  /// - Throws: ``DemoError`` when there is no sample either.
  static func find(log: (String) -> Void) throws -> PackageSource {
    if let found = machineIndexes() { return .machine(found) }
    log("This machine has no package lists; running apt-get update")
    if update(), let found = machineIndexes() { return .machine(found) }
    log("There are still none; using the sample included with the demo")
    return .sample(try sample())
  }

  /// Returns the lists for a processor architecture in a directory, with later updates last.
  ///
  /// - Parameters:
  ///   - directory: The directory to search.
  ///   - architecture: Debian's name of the architecture.
  /// - Returns: The lists, or nil if there are none.
  static func machineIndexes(
    in directory: URL = listDirectory, architecture: String = debianArchitecture
  ) -> [PackageIndex]? {
    let files = try? FileManager.default.contentsOfDirectory(atPath: directory.path)
    let names = (files ?? [])
      .filter { $0.contains("_binary-\(architecture)_Packages") && !$0.hasSuffix(".diff_Index") }
      .sorted { (rank($0), $0) < (rank($1), $1) }
    guard !names.isEmpty else { return nil }
    return names.map { PackageIndex(url: directory.appendingPathComponent($0)) }
  }

  /// The sample next to the program.
  static func sample() throws -> PackageIndex {
    let url = Bundle.module.url(
      forResource: "Packages", withExtension: nil, subdirectory: "Sample")
    guard let url else {
      throw DemoError("There is neither a package list of apt nor the sample")
    }
    return PackageIndex(url: url)
  }

  /// The order of reading: a release, its updates, its security updates. Later lists replace
  /// earlier entries.
  private static func rank(_ name: String) -> Int {
    if name.contains("security") { return 2 }
    return name.contains("-updates_") || name.contains("-backports_") ? 1 : 0
  }

  private static func update() -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/apt-get")
    process.arguments = ["update", "-q"]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  private static var debianArchitecture: String {
    #if arch(arm64)
      "arm64"
    #elseif arch(x86_64)
      "amd64"
    #else
      "all"
    #endif
  }
}
