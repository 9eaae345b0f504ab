import Varve

/// An installable package.
@Model final class Package: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var version: String
  @Persisted var architecture: String
  @Persisted var summary: String
  @Persisted var homepage: String?
  @Persisted var section: Section?
  @Persisted var maintainer: Maintainer?
  @Persisted var tags: List<String>

  /// The size in bytes.
  @Persisted(indexed: true) var installedSize: Int

  /// The size in bytes.
  @Persisted var downloadSize: Int

  /// The checksums by algorithm.
  @Persisted var checksums: Map<String, String>

  /// The dependencies, as written by the maintainer.
  @Persisted var dependencyText: String

  /// The first existing package of each clause of the text.
  @Persisted var dependencies: List<Package>

  /// The packages that depend on this one.
  @Persisted(originProperty: "dependencies") var dependents: LinkingObjects<Package>
}

extension Package.New {
  /// The values of a new package, without its dependencies.
  init(_ record: PackageRecord, section: Section, maintainer: Maintainer) {
    self.init(
      name: record.name, version: record.version, architecture: record.architecture,
      summary: record.summary, homepage: record.homepage, section: section,
      maintainer: maintainer, tags: record.tags, installedSize: record.installedSize,
      downloadSize: record.downloadSize, checksums: record.checksums,
      dependencyText: record.dependencyText)
  }
}
