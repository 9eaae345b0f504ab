import Varve

/// A change of a collection in a form that tests can compare.
struct ObservedChange: Equatable, Sendable {
  var count: Int
  var deletions: [Int]?
  var insertions: [Int]?
  var modifications: [Int]?

  init<C: Swift.Collection>(_ change: RealmCollectionChange<C>) {
    switch change {
    case .initial(let collection): count = collection.count
    case .update(let collection, let deletions, let insertions, let modifications):
      count = collection.count
      (self.deletions, self.insertions) = (deletions, insertions)
      self.modifications = modifications
    case .error: count = -1
    }
  }

  static func initial(_ count: Int) -> ObservedChange { ObservedChange(count: count) }
  static func update(
    _ count: Int, _ deletions: [Int] = [], _ insertions: [Int] = [], _ modifications: [Int] = []
  ) -> ObservedChange {
    ObservedChange(
      count: count, deletions: deletions, insertions: insertions, modifications: modifications)
  }

  private init(
    count: Int, deletions: [Int]? = nil, insertions: [Int]? = nil, modifications: [Int]? = nil
  ) {
    self.count = count
    self.deletions = deletions
    self.insertions = insertions
    self.modifications = modifications
  }
}
