import Varve

/// A package that can be installed.
@Model final class Package: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var version: String
  @Persisted var architecture: String
  @Persisted var summary: String
  @Persisted var homepage: String?
  @Persisted var section: Section?
  @Persisted var maintainer: Maintainer?
  @Persisted var tags: List<String>

  /// In bytes.
  @Persisted(indexed: true) var installedSize: Int

  /// In bytes.
  @Persisted var downloadSize: Int

  /// By algorithm.
  @Persisted var checksums: Map<String, String>

  /// What the package needs, as its maintainer wrote it.
  @Persisted var dependencyText: String

  /// For each clause of the text the first package that exists.
  @Persisted var dependencies: List<Package>

  /// The packages that need this one.
  @Persisted(originProperty: "dependencies") var dependents: LinkingObjects<Package>
}

extension Package {
  /// Makes a package that is in no store yet, without its links.
  convenience init(_ record: PackageRecord) {
    self.init()
    name = record.name
    version = record.version
    architecture = record.architecture
    summary = record.summary
    homepage = record.homepage
    installedSize = record.installedSize
    downloadSize = record.downloadSize
    dependencyText = record.dependencyText
    tags.append(objectsIn: record.tags)
    for (algorithm, checksum) in record.checksums { checksums[algorithm] = checksum }
  }
}
