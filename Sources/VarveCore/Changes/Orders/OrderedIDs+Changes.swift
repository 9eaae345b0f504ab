extension OrderedIDs {
  /// Edits the order and tells what has changed.
  ///
  /// The objects that are not edited, and those modified with their sort keys unchanged, keep their
  /// places relative to each other. A rekeyed object that still stands between the same two of them
  /// is a modification, if it is watched, unless others there had to pass it; of those as many as possible are. Every
  /// other rekeyed object is a deletion, an insertion and a move.
  ///
  /// - Parameters:
  ///   - edits: what happened to the objects, in any order.
  ///   - old: the order of the rows before, for objects that are in the order.
  ///   - new: the order of the rows now, for objects that stay in the order or enter it.
  /// - Returns: the changes, the same whenever the same is given; nil if an object is not where its sort
  ///   keys put it, as when rows are read in another way than before, or is named twice, unless as modified, as
  ///   when a damaged file has it twice. Then the order is as before.
  /// - Throws: what the two throw. Then, too, the order is as before.
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
    // Where those were that do not count as modified.
    var unwatched: Set<Int> = []
    for object in edits.rekeyed {
      let entry = OrderedEntry(prefix: object.old, id: object.id)
      guard let departure = try departure(of: entry, by: old) else { return nil }
      leaving.append(departure)
      if !object.isWatched { unwatched.insert(departure.index) }
      arriving.append(
        Arrival(
          entry: OrderedEntry(prefix: object.new, id: object.id),
          place: .init(oldIndex: departure.index)))
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
    var changes = OrderComparison(leaving: leaving.map(\.index), arriving: arriving.map(\.place))
      .changes(modified: modified)
    changes.removeModifications(at: unwatched)
    return changes
  }

  /// An entry that is in the order.
  private struct Departure {
    var index: Int
    var entry: OrderedEntry
  }

  /// An entry on its way into the order.
  private struct Arrival {
    var entry: OrderedEntry
    var place = OrderComparison.Arrival()
  }

  private func departure(of entry: OrderedEntry, by rows: RowOrder) throws(Failure) -> Departure? {
    try position(of: entry, by: rows).map { Departure(index: $0, entry: entry) }
  }

  /// Takes entries away, finds the gaps for others, and adds those.
  ///
  /// Rows of the new version are compared only when everything that changed has left.
  ///
  /// - Returns: false if an entry that arrives is there; then, and after a failure, the order is as before.
  private mutating func replace(
    _ leaving: [Departure], with arriving: inout [Arrival], by rows: RowOrder
  ) throws(Failure) -> Bool {
    for departure in leaving.reversed() { remove(at: departure.index) }
    var areNew = true
    do throws(Failure) {
      for position in arriving.indices where areNew {
        let (gap, isMember) = try locate(arriving[position].entry, by: rows)
        arriving[position].place.gap = gap
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
      insert(arrival.entry, at: arrival.place.gap + position)
    }
    return true
  }

  // Not by means of a copy: with one, every node that is edited would be copied too.
  private mutating func putBack(_ leaving: [Departure]) {
    for departure in leaving { insert(departure.entry, at: departure.index) }
  }
}
