import Varve

/// A person or a team that maintains packages.
@Model final class Maintainer: Object {
  /// The address, or the name if there is no address.
  @Persisted(primaryKey: true) var key: String
  @Persisted var name: String
  @Persisted(originProperty: "maintainer") var packages: LinkingObjects<Package>
}
