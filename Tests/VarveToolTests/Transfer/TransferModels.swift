import Varve

/// A class with a string key.
@Model final class Maker: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var home: Place?
  @Persisted var friends: List<Maker>
}

/// A class without a key.
@Model final class Place: Object {
  @Persisted var name: String
}
