import Varve

/// A typical query of a package index.
struct Question: Sendable {
  var text: String

  /// Answers the question from a realm. The table has no rows if nothing matches.
  var answer: @Sendable (Realm) -> TextTable

  /// All questions, in the order of the demo.
  static let all: [Question] = [
    largest, largestGames, dependents, everythingNeeded, maintainers, databases,
  ]
}

extension Question {
  /// The answer as lines of text: “none” if nothing matches.
  func lines(_ realm: Realm) -> [String] {
    let table = answer(realm)
    return table.rows.isEmpty ? ["  none"] : table.lines()
  }
}

extension Question {
  /// Sorts the objects that link to each object of a class.
  private static let largest = Question(
    text: "Which package is the largest in each section?"
  ) { realm in
    var table = TextTable(columns: [.left, .left, .right])
    let largest = realm.objects(Section.self).compactMap { section in
      section.packages.sorted(by: \.installedSize, ascending: false).first
    }
    for package in largest.sorted(by: { $0.installedSize > $1.installedSize }).prefix(6) {
      let section = package.section?.name ?? ""
      table.rows.append([section, package.name, Quantity.bytes(package.installedSize)])
    }
    return table
  }

  /// Filters by a condition on a linked object.
  private static let largestGames = Question(text: "Which games are the largest?") { realm in
    var table = TextTable(columns: [.left, .right, .left])
    let games = realm.objects(Package.self)
      .where { $0.section.name == "games" }
      .sorted(by: \.installedSize, ascending: false)
    for package in games.prefix(5) {
      table.rows.append([package.name, Quantity.bytes(package.installedSize), package.summary])
    }
    return table
  }

  /// Follows links backward.
  private static let dependents = Question(text: "How many packages need these?") { realm in
    var table = TextTable(columns: [.left, .right, .left])
    for name in ["libc6", "python3", "zlib1g", "libsqlite3-0", "liblmdb0"] {
      guard let package = realm.object(ofType: Package.self, forPrimaryKey: name) else { continue }
      let dependents = package.dependents
      table.rows.append([
        name, Quantity.count(dependents.count),
        dependents.isEmpty ? "" : "such as \(examples(dependents))",
      ])
    }
    return table
  }

  /// Follows links transitively.
  private static let everythingNeeded = Question(
    text: "What do these install on an empty machine, with their dependencies?"
  ) { realm in
    var table = TextTable(columns: [.left, .right, .right])
    for name in ["bash", "git", "gdb", "libreoffice", "gnome"] {
      guard let package = realm.object(ofType: Package.self, forPrimaryKey: name) else { continue }
      let needed = closure(of: package)
      let size = needed.reduce(0) { $0 + $1.installedSize }
      table.rows.append([name, Quantity.count(needed.count, "package"), Quantity.bytes(size)])
    }
    return table
  }

  /// Counts the links of each object of a class.
  private static let maintainers = Question(text: "Who maintains the most?") { realm in
    var table = TextTable(columns: [.left, .right])
    let all = realm.objects(Maintainer.self).map { (name: $0.name, count: $0.packages.count) }
    for maintainer in all.sorted(by: { ($1.count, $0.name) < ($0.count, $1.name) }).prefix(5) {
      table.rows.append([maintainer.name, Quantity.count(maintainer.count, "package")])
    }
    return table
  }

  /// Searches the text of all packages.
  private static let databases = Question(text: "Which summaries mention a database?") { realm in
    var table = TextTable(columns: [.left, .left])
    let found = realm.objects(Package.self)
      .where { $0.summary.contains("database", caseInsensitive: true) }
    for package in found.prefix(3) { table.rows.append([package.name, package.summary]) }
    let others = found.count - table.rows.count
    if others > 0 { table.rows.append(["and \(Quantity.count(others)) more", ""]) }
    return table
  }

  private static func examples(_ packages: LinkingObjects<Package>) -> String {
    packages.prefix(3).map(\.name).joined(separator: ", ")
  }

  /// The package and its direct and indirect dependencies.
  private static func closure(of package: Package) -> [Package] {
    var found = [package]
    var names: Set<String> = [package.name]
    var next = 0
    while next < found.count {
      for dependency in found[next].dependencies where names.insert(dependency.name).inserted {
        found.append(dependency)
      }
      next += 1
    }
    return found
  }
}
