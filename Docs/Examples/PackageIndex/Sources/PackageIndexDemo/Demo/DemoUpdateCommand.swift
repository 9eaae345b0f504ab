import ArgumentParser
import Foundation
import Varve

/// The command of the demo's second process, which changes packages in the store of the first.
struct DemoUpdateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "update",
    abstract: "Changes packages of the demo's store. Started by the demo.",
    shouldDisplay: false)

  @Argument(help: "The file of the store.")
  var file: String

  @Argument(help: "The packages to change; the last one is deleted.")
  var names: [String]

  func run() throws {
    let realm = try DemoStore(url: URL(fileURLWithPath: file)).open()
    let process = ProcessInfo.processInfo.processIdentifier
    let start = ContinuousClock.now
    var changed = 0
    var deleted = 0
    try realm.write {
      for name in names {
        guard let package = realm.object(ofType: Package.self, forPrimaryKey: name) else {
          continue
        }
        if name == names.last {
          realm.delete(package)
          deleted += 1
          continue
        }
        package.version += "+changed"
        package.installedSize += 1 << 20
        package.tags.append("changed-by::process-\(process)")
        package.checksums.removeAll()
        changed += 1
      }
    }
    let elapsed = Quantity.duration(ContinuousClock.now - start)
    print(
      "  process \(process): changed \(Quantity.count(changed, "package")) and deleted \(deleted) "
        + "in \(elapsed)")
  }
}
