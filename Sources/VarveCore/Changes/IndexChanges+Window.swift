extension IndexChanges {
  /// Cuts the changes of a collection down to a part of it, as a limit leaves one.
  ///
  /// Limited results keep the whole collection, and nothing more: the part is a view of it.
  ///
  /// An element that slides into the part is an insertion there, one that slides out a deletion,
  /// whether it changed or not. A move from inside the part to another place in it stays a move.
  ///
  /// - Parameters:
  ///   - offset: where the part starts, in the old collection as in the new.
  ///   - limit: how many elements it has at most.
  ///   - oldCount: how many elements the old collection has.
  ///   - newCount: how many the new one has.
  /// - Returns: the changes of the part, by its own indexes.
  /// - Precondition: neither offset nor limit is negative, and the changes are those between
  ///   collections of these sizes.
  /// - Complexity: O(ranges of indexes), whatever the size of the part.
  package func window(
    offset: Int = 0, limit: Int, oldCount: Int, newCount: Int
  ) -> IndexChanges {
    var window = IndexWindow(
      old: IndexWindow.range(offset, limit, in: oldCount),
      new: IndexWindow.range(offset, limit, in: newCount))
    window.addPlaces(of: self, oldCount: oldCount, newCount: newCount)
    window.addModifications(of: self)
    for move in moves where window.old.contains(move.from) && window.new.contains(move.to) {
      window.changes.moves.append(.init(from: move.from - offset, to: move.to - offset))
    }
    return window.changes
  }
}

/// The part of a collection before and after, and the changes to it as far as they are known.
private struct IndexWindow {
  let old: Range<Int>
  let new: Range<Int>
  var changes = IndexChanges()

  init(old: Range<Int>, new: Range<Int>) {
    self.old = old
    self.new = new
  }

  static func range(_ offset: Int, _ limit: Int, in count: Int) -> Range<Int> {
    let start = min(offset, count)
    return start..<start + min(limit, count - start)
  }

  /// Walks through both collections at once and adds deletions and insertions.
  mutating func addPlaces(of full: IndexChanges, oldCount: Int, newCount: Int) {
    var deletions = full.deletions.ranges.makeIterator()
    var insertions = full.insertions.ranges.makeIterator()
    var deletion = deletions.next()
    var insertion = insertions.next()
    var oldIndex = 0
    var newIndex = 0
    while oldIndex < old.upperBound || newIndex < new.upperBound {
      if let deleted = deletion, deleted.lowerBound == oldIndex {
        delete(deleted.clamped(to: old))
        oldIndex = deleted.upperBound
        deletion = deletions.next()
      } else if let inserted = insertion, inserted.lowerBound == newIndex {
        insert(inserted.clamped(to: new))
        newIndex = inserted.upperBound
        insertion = insertions.next()
      } else {
        let length = min(
          (deletion?.lowerBound ?? oldCount) - oldIndex,
          (insertion?.lowerBound ?? newCount) - newIndex)
        precondition(length > 0, "The changes are not those between collections of these sizes.")
        keep(length, from: oldIndex, at: newIndex)
        oldIndex += length
        newIndex += length
      }
    }
  }

  /// Adds what slides in and out of neighbouring elements that stay in the collection.
  private mutating func keep(_ length: Int, from oldIndex: Int, at newIndex: Int) {
    let before = (oldIndex..<oldIndex + length).clamped(to: old)
    let after = (newIndex..<newIndex + length).clamped(to: new)
    // The part of each that is not in the other, by what their indexes differ in.
    let shift = newIndex - oldIndex
    let stays = before.clamped(to: after.lowerBound - shift..<after.upperBound - shift)
    guard !stays.isEmpty else {
      delete(before)
      insert(after)
      return
    }
    delete(before.lowerBound..<stays.lowerBound)
    delete(stays.upperBound..<before.upperBound)
    insert(after.lowerBound..<stays.lowerBound + shift)
    insert(stays.upperBound + shift..<after.upperBound)
  }

  private mutating func delete(_ indexes: Range<Int>) {
    guard !indexes.isEmpty else { return }
    changes.deletions.append(
      indexes.lowerBound - old.lowerBound..<indexes.upperBound - old.lowerBound)
  }

  private mutating func insert(_ indexes: Range<Int>) {
    guard !indexes.isEmpty else { return }
    changes.insertions.append(
      indexes.lowerBound - new.lowerBound..<indexes.upperBound - new.lowerBound)
  }

  /// Adds the modified elements that are in both parts.
  mutating func addModifications(of full: IndexChanges) {
    var olds = full.modifications.ranges.makeIterator()
    var news = full.newModifications.ranges.makeIterator()
    var before = olds.next()
    var after = news.next()
    while let oldRun = before, let newRun = after,
      oldRun.lowerBound < old.upperBound, newRun.lowerBound < new.upperBound
    {
      let length = min(oldRun.count, newRun.count)
      modify(length, from: oldRun.lowerBound, at: newRun.lowerBound)
      before = oldRun.count > length ? oldRun.dropFirst(length) : olds.next()
      after = newRun.count > length ? newRun.dropFirst(length) : news.next()
    }
  }

  private mutating func modify(_ length: Int, from oldIndex: Int, at newIndex: Int) {
    let shift = newIndex - oldIndex
    let both = (oldIndex..<oldIndex + length).clamped(to: old)
      .clamped(to: new.lowerBound - shift..<new.upperBound - shift)
    guard !both.isEmpty else { return }
    changes.modifications.append(
      both.lowerBound - old.lowerBound..<both.upperBound - old.lowerBound)
    changes.newModifications.append(
      both.lowerBound + shift - new.lowerBound..<both.upperBound + shift - new.lowerBound)
  }
}
