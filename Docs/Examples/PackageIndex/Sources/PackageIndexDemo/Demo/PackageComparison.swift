import Varve

/// A few packages in a frozen and a live realm, side by side.
struct PackageComparison {
  let names: [String]
  let frozen: Realm
  let live: Realm

  /// A table with a row for each package: its values in the frozen and in the live realm.
  func table() -> TextTable {
    TextTable(
      columns: [.left, .left, .left], titles: ["package", "frozen", "live"],
      rows: names.map { [$0, Self.describe($0, in: frozen), Self.describe($0, in: live)] })
  }

  private static func describe(_ name: String, in realm: Realm) -> String {
    guard let package = realm.object(ofType: Package.self, forPrimaryKey: name) else {
      return "(none)"
    }
    let tags = Quantity.count(package.tags.count, "tag")
    return "\(package.version), \(Quantity.bytes(package.installedSize)), \(tags)"
  }
}
