import Varve

/// A person or a team that looks after packages.
@Model final class Maintainer: Object {
  /// The address, or the name where there is none.
  @Persisted(primaryKey: true) var key: String
  @Persisted var name: String
  @Persisted(originProperty: "maintainer") var packages: LinkingObjects<Package>
}
