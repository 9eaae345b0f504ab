extension OrderedIDs {
  /// Edits the order and returns the changes.
  ///
  /// Objects without an edit, and modified objects with unchanged sort keys, keep their relative
  /// positions. A rekeyed object that is still between the same two of them is a modification, if
  /// it is watched, unless other rekeyed objects there changed their order relative to it; as many
  /// of these as possible are modifications. Every other rekeyed object is a deletion, an insertion
  /// and a move.
  ///
  /// - Parameters:
  ///   - edits: The edits of the objects, in any order.
  ///   - old: The row order of the old version, for objects that are in the order.
  ///   - new: The row order of the new version, for objects that stay in the order or enter it.
  /// - Returns: The changes, which are deterministic; or nil if an object is not at the position
  ///   that its sort keys determine (for example because rows are read differently than before), or
  ///   has several edits other than modifications (for example because a damaged file contains it
  ///   twice). The order is then unchanged.
  /// - Throws: The errors of `old` and `new`. The order is then unchanged.
  /// - Complexity: O(changes · log n)
  package mutating func apply(
    _ edits: OrderEdits, old: RowOrder, new: RowOrder
  ) throws(Failure) -> IndexChanges? {
    var leaving: [Departure] = []
    leaving.reserveCapacity(edits.removed.count + edits.rekeyed.count)
    for entry in edits.removed {
      guard let departure = try departure(of: entry, by: old) else { return nil }
      leaving.append(departure)
    }
    var arriving = edits.inserted.map { Arrival(entry: $0) }
    // The old indexes of rekeyed objects that do not count as modified.
    var unwatched: Set<Int> = []
    for object in edits.rekeyed {
      let entry = OrderedEntry(prefix: object.old, id: object.id)
      guard let departure = try departure(of: entry, by: old) else { return nil }
      leaving.append(departure)
      if !object.isWatched { unwatched.insert(departure.index) }
      arriving.append(
        Arrival(
          entry: OrderedEntry(prefix: object.new, id: object.id),
          location: .init(oldIndex: departure.index)))
    }
    var modified: [Int] = []
    modified.reserveCapacity(edits.modified.count)
    for entry in edits.modified {
      guard let index = try position(of: entry, by: old) else { return nil }
      modified.append(index)
    }
    leaving.sort { $0.index < $1.index }
    modified.sort()
    try Self.sort(&arriving, by: new) { $0.entry }
    guard zip(leaving, leaving.dropFirst()).allSatisfy({ $0.index < $1.index }),
      zip(arriving, arriving.dropFirst()).allSatisfy({ $0.entry != $1.entry })
    else { return nil }
    guard try replace(leaving, with: &arriving, by: new) else { return nil }
    var changes = OrderComparison(leaving: leaving.map(\.index), arriving: arriving.map(\.location))
      .changes(modified: modified)
    changes.removeModifications(at: unwatched)
    return changes
  }

  /// An entry that is in the order and is to be removed.
  private struct Departure {
    var index: Int
    var entry: OrderedEntry
  }

  /// An entry that is to be inserted into the order.
  private struct Arrival {
    var entry: OrderedEntry
    var location = OrderComparison.Arrival()
  }

  private func departure(of entry: OrderedEntry, by rows: RowOrder) throws(Failure) -> Departure? {
    try position(of: entry, by: rows).map { Departure(index: $0, entry: entry) }
  }

  /// Removes entries, finds the gaps for the new ones, and inserts those.
  ///
  /// Rows of the new version are compared only after all changed objects were removed.
  ///
  /// - Returns: false if an arriving entry is already in the order. The order is then unchanged, as
  ///   it is after an error.
  private mutating func replace(
    _ leaving: [Departure], with arriving: inout [Arrival], by rows: RowOrder
  ) throws(Failure) -> Bool {
    for departure in leaving.reversed() { remove(at: departure.index) }
    var areNew = true
    do throws(Failure) {
      for position in arriving.indices where areNew {
        let (gap, isMember) = try locate(arriving[position].entry, by: rows)
        arriving[position].location.gap = gap
        areNew = !isMember
      }
    } catch {
      putBack(leaving)
      throw error
    }
    guard areNew else {
      putBack(leaving)
      return false
    }
    for (position, arrival) in arriving.enumerated() {
      insert(arrival.entry, at: arrival.location.gap + position)
    }
    return true
  }

  // Not restored from a copy: a copy would cause every edited node to be copied too.
  private mutating func putBack(_ leaving: [Departure]) {
    for departure in leaving { insert(departure.entry, at: departure.index) }
  }
}
