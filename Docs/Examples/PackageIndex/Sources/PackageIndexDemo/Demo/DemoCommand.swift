import ArgumentParser
import Foundation
import Varve

/// Imports a package index, queries it, and changes it from two processes.
@main struct DemoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "package-index",
    abstract: "Imports this machine's package index, queries it and changes it from two processes.",
    subcommands: [DemoUpdateCommand.self])

  @Option(help: "The directory of the store. Default: varve-demo-<uid> in the temporary directory.")
  var directory: String?

  @Option(help: "The maximum number of entries to import. Default: all.")
  var limit: Int?

  func validate() throws {
    guard limit ?? 1 > 0 else { throw ValidationError("--limit must be greater than 0.") }
  }

  func run() throws {
    let terminal = Terminal()
    let store = DemoStore(
      url: (directory.map { URL(fileURLWithPath: $0, isDirectory: true) } ?? Self.defaultDirectory)
        .appendingPathComponent(DemoStore.fileName))
    try store.clear()
    let realm = try store.open()

    terminal.print("Import")
    try importPackages(into: realm, terminal)
    let size = try realm.storageReport().totalBytes
    terminal.print("  \(store.url.path): \(Quantity.bytes(size))")
    ask(realm, terminal)
    terminal.print("\nTwo versions, two processes")
    try changeFromAnotherProcess(store, realm, terminal)
    terminal.print("\nThe store is kept. To inspect it: swift run varve info \(store.url.path)")
  }

  private static var defaultDirectory: URL {
    FileManager.default.temporaryDirectory
      .appendingPathComponent("varve-demo-\(getuid())", isDirectory: true)
  }
}

extension DemoCommand {
  private func importPackages(into realm: Realm, _ terminal: Terminal) throws {
    let source = try PackageSource.find { terminal.print("  \($0)") }
    let limit = limit ?? .max
    let total = try source.indexes.reduce(0) { try $0 + $1.packageCount(limit: limit - $0) }
    let packageImport = PackageImport(into: realm)

    let bar = ProgressBar("Packages", total: total, terminal: terminal)
    let start = ContinuousClock.now
    var batch: [PackageRecord] = []
    var done = 0
    var listCount = 0
    func addBatch() throws {
      try packageImport.add(batch)
      done += batch.count
      batch.removeAll(keepingCapacity: true)
      bar.update(to: done)
    }
    for index in source.indexes where done < total {
      listCount += 1
      try index.forEachPackage(limit: total - done) { record in
        batch.append(record)
        if batch.count == PackageImport.batchSize { try addBatch() }
      }
      try addBatch()
    }
    let imported = ContinuousClock.now
    let lists = Quantity.count(listCount, "list")
    bar.finish(
      "\(Quantity.count(done, "entry", "entries")) of \(lists) read and stored in "
        + Quantity.duration(imported - start))

    let count = realm.objects(Package.self).count
    let linkBar = ProgressBar("Links", total: count, terminal: terminal)
    let totals = try packageImport.link { linkBar.update(to: $0) }
    let elapsed = Quantity.duration(ContinuousClock.now - imported)
    linkBar.finish(
      "\(Quantity.count(totals.links, "dependency", "dependencies")) resolved in \(elapsed)")
    for line in totals.lines(entries: done) { terminal.print("  \(line)") }
  }

  private func ask(_ realm: Realm, _ terminal: Terminal) {
    for question in Question.all {
      let start = ContinuousClock.now
      let lines = question.lines(realm)
      let elapsed = Quantity.duration(ContinuousClock.now - start)
      terminal.print("\n\(question.text)  (\(elapsed))")
      for line in lines { terminal.print(terminal.fit(line)) }
    }
  }

  private func changeFromAnotherProcess(
    _ store: DemoStore, _ realm: Realm, _ terminal: Terminal
  ) throws {
    let wanted = ["bash", "git", "sqlite3", "liblmdb0", "figlet"]
    let known = wanted.filter { realm.object(ofType: Package.self, forPrimaryKey: $0) != nil }
    let names = known.count > 1 ? known : realm.objects(Package.self).prefix(5).map(\.name)
    let frozen = realm.freeze()
    let process = ProcessInfo.processInfo.processIdentifier
    terminal.print("  process \(process): froze version \(frozen.version), waiting")
    try Self.runUpdate(store, names)
    let start = ContinuousClock.now
    try realm.refresh()
    let elapsed = Quantity.duration(ContinuousClock.now - start)
    terminal.print("  process \(process): moved to version \(realm.version) in \(elapsed)\n")
    for line in PackageComparison(names: names, frozen: frozen, live: realm).table().lines() {
      terminal.print(terminal.fit(line))
    }
  }

  /// Runs this program in a second process, and waits until it has changed the store.
  private static func runUpdate(_ store: DemoStore, _ names: [String]) throws {
    let process = Process()
    process.executableURL = Bundle.main.executableURL
    process.arguments = ["update", store.url.path] + names
    do {
      try process.run()
    } catch {
      throw DemoError("The second process could not be started", because: error)
    }
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw DemoError("The second process ended with status \(process.terminationStatus)")
    }
  }
}
