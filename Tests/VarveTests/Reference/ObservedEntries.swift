import Varve

/// A change of a map in comparable form.
struct ObservedEntries: Equatable, Sendable {
  var keys: [String]
  var deletions: [String]?
  var insertions: [String]?
  var modifications: [String]?

  init<V>(_ change: RealmMapChange<Map<String, V>>) {
    switch change {
    case .initial(let map): keys = map.keys
    case .update(let map, let deletions, let insertions, let modifications):
      keys = map.keys
      (self.deletions, self.insertions) = (deletions, insertions)
      self.modifications = modifications
    case .error: keys = ["error"]
    }
  }

  static func initial(_ keys: [String]) -> ObservedEntries { ObservedEntries(keys: keys) }
  static func update(
    _ keys: [String], _ deletions: [String] = [], _ insertions: [String] = [],
    _ modifications: [String] = []
  ) -> ObservedEntries {
    ObservedEntries(
      keys: keys, deletions: deletions, insertions: insertions, modifications: modifications)
  }

  private init(
    keys: [String], deletions: [String]? = nil, insertions: [String]? = nil,
    modifications: [String]? = nil
  ) {
    self.keys = keys
    self.deletions = deletions
    self.insertions = insertions
    self.modifications = modifications
  }
}
