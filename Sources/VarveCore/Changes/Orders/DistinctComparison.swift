/// Finds how the first objects of the values changed.
struct DistinctComparison {
  private typealias Entry = OrderedIDs.Entry

  private let before: DistinctIDs
  private let after: DistinctIDs
  private let edits: DistinctIDs.Edits

  init(before: DistinctIDs, after: DistinctIDs, edits: DistinctIDs.Edits) {
    self.before = before
    self.after = after
    self.edits = edits
  }

  /// - Complexity: O(changes · log n)
  func editsOfFirsts() -> OrderEdits<UInt64> {
    let modified = Set(edits.modified.lazy.map(\.id))
    let rekeyed = Set(edits.rekeyed.lazy.map(\.id))
    var result = OrderEdits<UInt64>()
    var lost: [Entry] = []
    var gained: [UInt64: UInt64] = [:]
    for value in values {
      let old = before.first(of: value)
      let new = after.first(of: value)
      if let old, let new, old.id == new.id {
        if rekeyed.contains(old.id) {
          result.rekeyed.append(.init(id: old.id, old: old.prefix, new: new.prefix))
        } else if modified.contains(old.id) {
          result.modified.append(old)
        }
        continue
      }
      if let old { lost.append(old) }
      if let new { gained[new.id] = new.prefix }
    }
    for entry in lost {
      // First of one value before and of another now: the object stays in the results.
      if let prefix = gained.removeValue(forKey: entry.id) {
        result.rekeyed.append(.init(id: entry.id, old: entry.prefix, new: prefix))
      } else {
        result.removed.append(entry)
      }
    }
    result.inserted = gained.map { Entry(prefix: $0.value, id: $0.key) }.sorted { $0.id < $1.id }
    return result
  }

  /// The values whose first objects may be others, or changed, each once.
  private var values: [DistinctValue] {
    var values: [DistinctValue] = []
    for entry in edits.removed { values.append(entry.prefix.value) }
    for entry in edits.inserted { values.append(entry.prefix.value) }
    for entry in edits.modified { values.append(entry.prefix.value) }
    for object in edits.rekeyed {
      values.append(object.old.value)
      values.append(object.new.value)
    }
    values.sort()
    var last: DistinctValue?
    return values.filter { value in
      defer { last = value }
      return value != last
    }
  }
}
