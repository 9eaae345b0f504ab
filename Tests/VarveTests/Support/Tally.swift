import Varve

/// A class that the second process of the tests knows too.
@Model final class Tally: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var value = 0
  @Persisted var padding: String
}
