import Varve

/// A class that the child processes of the tests declare as well.
@Model final class Tally: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var value = 0
  @Persisted var padding: String
}
