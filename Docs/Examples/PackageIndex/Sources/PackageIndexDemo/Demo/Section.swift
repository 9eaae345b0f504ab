import Varve

/// A category of packages: `games`, `libs`, `science`.
@Model final class Section: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted(originProperty: "section") var packages: LinkingObjects<Package>
}
