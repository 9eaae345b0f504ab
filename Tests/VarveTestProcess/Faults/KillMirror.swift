import Varve

/// A copy of an observed collection: a summary of each object, kept up to date by change sets.
struct KillMirror<Element: ObjectBase & RealmCollectionValue> {
  /// nil: to be read again.
  private var rows: [UInt64?] = []
  private let summary: (Element) -> UInt64

  init(_ summary: @escaping (Element) -> UInt64) { self.summary = summary }

  var count: Int { rows.count }
  var sum: UInt64 { rows.reduce(0) { $0 &+ ($1 ?? 0) } }

  mutating func reset(_ collection: Results<Element>) { rows = collection.map(summary) }

  /// Applies a change set, and reads the inserted and modified objects only.
  ///
  /// - Parameter collection: The collection after the change.
  mutating func apply(
    _ collection: Results<Element>, _ deletions: [Int], _ insertions: [Int], _ modifications: [Int]
  ) throws {
    for index in modifications {
      try check(index, rows.count, "modified")
      rows[index] = nil
    }
    for index in deletions.reversed() {
      try check(index, rows.count, "deleted")
      rows.remove(at: index)
    }
    for index in insertions {
      try check(index, rows.count + 1, "inserted")
      rows.insert(nil, at: index)
    }
    guard rows.count == collection.count else {
      throw FaultCheck.Fault(
        description: "\(rows.count) objects after the changes, not \(collection.count)")
    }
    for index in rows.indices where rows[index] == nil { rows[index] = summary(collection[index]) }
  }

  /// Whether it equals the collection.
  func equals(_ collection: Results<Element>) -> Bool { rows == collection.map(summary) }

  private func check(_ index: Int, _ limit: Int, _ change: String) throws {
    guard index >= 0, index < limit else {
      throw FaultCheck.Fault(description: "index \(index) of \(limit) is \(change)")
    }
  }
}
