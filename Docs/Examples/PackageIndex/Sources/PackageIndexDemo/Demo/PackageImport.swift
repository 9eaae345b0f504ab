import Varve

/// Imports packages into a store: first the packages, then the links between them.
struct PackageImport {
  /// The number of imported objects.
  struct Totals: Equatable, Sendable {
    var packages = 0
    var maintainers = 0
    var sections = 0
    var links = 0

    /// The number of dependency clauses that name no existing package. Most of them name virtual
    /// packages.
    var unresolved = 0

    /// Describes the contents of the store.
    ///
    /// - Parameter entries: The number of entries read. A package may have several, of which the
    ///   last is kept.
    /// - Returns: One or two lines.
    func lines(entries: Int) -> [String] {
      let counts = [
        Quantity.count(packages, "package"), Quantity.count(maintainers, "maintainer"),
        Quantity.count(sections, "section"),
      ]
      let lines = ["In the store: \(counts.joined(separator: ", "))"]
      let repeated = entries - packages
      guard repeated > 0 else { return lines }
      let later = Quantity.count(repeated, "entry", "entries")
      return lines + ["\(later) replaced an earlier one of the same package"]
    }
  }

  /// The number of packages per transaction: large enough that commits rarely wait for the disk,
  /// small enough that the progress bar moves visibly.
  static let batchSize = 4000

  let realm: Realm

  init(into realm: Realm) {
    self.realm = realm
  }

  /// Adds packages in one transaction.
  ///
  /// Existing packages are updated.
  func add(_ records: [PackageRecord]) throws {
    var maintainers: [String: Maintainer] = [:]
    var sections: [String: Section] = [:]
    try realm.write {
      realm.insert(records, update: .modified) { record in
        Package.New(
          record, section: section(record.section, &sections),
          maintainer: maintainer(record.maintainer, &maintainers))
      }
    }
  }

  /// Resolves the dependencies of all packages.
  ///
  /// - Parameter progress: Receives the number of processed packages after each transaction.
  /// - Returns: The contents of the store.
  /// - Throws: `Realm.Error` when a transaction fails. Earlier transactions stay committed.
  func link(progress: (Int) -> Void) throws -> Totals {
    var totals = Totals()
    let packages = Array(realm.objects(Package.self))
    for start in stride(from: 0, to: packages.count, by: Self.batchSize) {
      let batch = packages[start..<min(start + Self.batchSize, packages.count)]
      try realm.write {
        for package in batch { link(package, &totals) }
      }
      progress(batch.endIndex)
    }
    totals.packages = packages.count
    totals.maintainers = realm.objects(Maintainer.self).count
    totals.sections = realm.objects(Section.self).count
    return totals
  }

  private func link(_ package: Package, _ totals: inout Totals) {
    var targets: [Package] = []
    var names: Set<String> = []
    for clause in Dependency.parse(package.dependencyText) {
      guard let target = clause.alternatives.lazy.compactMap(existingPackage).first else {
        totals.unresolved += 1
        continue
      }
      if names.insert(target.name).inserted { targets.append(target) }
    }
    package.dependencies.append(objectsIn: targets)
    totals.links += targets.count
  }

  private func existingPackage(_ name: String) -> Package? {
    realm.object(ofType: Package.self, forPrimaryKey: name)
  }

  private func maintainer(
    _ field: MaintainerField, _ known: inout [String: Maintainer]
  ) -> Maintainer {
    if let maintainer = known[field.key] { return maintainer }
    let maintainer = Maintainer(key: field.key, name: field.name)
    realm.add(maintainer, update: .modified)
    known[field.key] = maintainer
    return maintainer
  }

  private func section(_ name: String, _ known: inout [String: Section]) -> Section {
    if let section = known[name] { return section }
    let section = Section(name: name)
    realm.add(section, update: .modified)
    known[name] = section
    return section
  }
}
