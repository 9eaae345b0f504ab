import Varve

/// A few packages as two views see them, side by side.
struct PackageComparison {
  let names: [String]
  let frozen: Realm
  let live: Realm

  /// A line for each package: what the frozen view says, what the live one says.
  func table() -> TextTable {
    var table = TextTable([
      .init(title: "package"), .init(title: "frozen"), .init(title: "live"),
    ])
    for name in names {
      table.append([name, Self.describe(name, in: frozen), Self.describe(name, in: live)])
    }
    return table
  }

  private static func describe(_ name: String, in realm: Realm) -> String {
    guard let package = realm.object(ofType: Package.self, forPrimaryKey: name) else {
      return "(none)"
    }
    let tags = Quantity.count(package.tags.count, "tag")
    return "\(package.version), \(Quantity.bytes(package.installedSize)), \(tags)"
  }
}
