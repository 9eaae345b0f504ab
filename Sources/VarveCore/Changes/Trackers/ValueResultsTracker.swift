import VarveEncoding
import VarveStorage

/// Observes the answer of a query on the values of a list or a dictionary.
///
/// The query is run again in each version that changed the collection: O(n) for n elements.
struct ValueResultsTracker: OrderedTracker {
  private let query: ElementQuery
  private let store: StoreFile
  /// The collection; nil for a query without one.
  private var owned: OwnedCollection?
  /// The values in the tracker's version.
  private var values: [Value] = []

  init(_ query: ElementQuery, of store: StoreFile) {
    self.query = query
    self.store = store
    owned = query.collection.map { OwnedCollection($0, store) }
  }

  var subject: String {
    "results of \(owned?.identity.description ?? "values")"
  }

  mutating func start(at snapshot: Snapshot) throws(Failure) -> Bool {
    values = try values(in: snapshot)
    return try owned?.start(at: snapshot) ?? false
  }

  mutating func advance(
    _ difference: VersionDifference
  ) throws(Failure) -> TrackerUpdate<IndexChanges> {
    guard let change = try owned?.advance(difference) else { return .none }
    switch change {
    case .absent: return .none
    case .deleted:
      var changes = IndexChanges()
      changes.deletions.append(0..<values.count)
      values = []
      return .end(changes)
    case .present(let stored, let before, let after):
      guard stored.mayDiffer(before, after) else { return .none }
      let new = try values(in: difference.new)
      defer { values = new }
      let changes = IndexChanges(from: values, to: new)
      return changes.isEmpty ? .none : .change(changes)
    }
  }

  private func values(in snapshot: Snapshot) throws(Failure) -> [Value] {
    try query.values(in: ReadScope(snapshot, of: store))
  }
}

extension IndexChanges {
  /// Creates the difference between two sequences of values. A different value at an index is a
  /// deletion and an insertion.
  ///
  /// - Complexity: the cost of `WordDifference`.
  init(from old: [Value], to new: [Value]) {
    // Compares sequences of numbers: equal values have the same number.
    var numbers: [Value: UInt64] = [:]
    func number(_ value: Value) -> UInt64 {
      if let number = numbers[value] { return number }
      let number = UInt64(numbers.count)
      numbers[value] = number
      return number
    }
    self.init(from: old.map(number), to: new.map(number))
  }
}
