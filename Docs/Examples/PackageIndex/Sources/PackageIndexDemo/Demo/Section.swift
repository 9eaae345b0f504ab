import Varve

/// A field of use: `games`, `libs`, `science`.
@Model final class Section: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted(originProperty: "section") var packages: LinkingObjects<Package>
}
