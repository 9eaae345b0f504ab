import VarveCore

/// What happened to the elements of a collection, by their places.
struct PlaceChanges {
  let deletions: [Int]
  let insertions: [Int]
  let modifications: [Int]
  let newModifications: [Int]

  init(_ changes: IndexChanges) {
    deletions = Array(changes.deletions)
    insertions = Array(changes.insertions)
    modifications = Array(changes.modifications)
    newModifications = Array(changes.newModifications)
  }
}

/// What happened to sections and their elements.
struct PositionChanges {
  /// In the old sections that stay.
  var deletions: [SectionPosition] = []
  /// In the new sections; those of inserted sections too.
  var insertions: [SectionPosition] = []
  /// In the old sections.
  var modifications: [SectionPosition] = []
  var deletedSections: [Int] = []
  var insertedSections: [Int] = []
}

extension Sectioning {
  /// The sections after a change.
  ///
  /// - Parameters:
  ///   - changes: what happened to the elements.
  ///   - order: that of the sections.
  ///   - key: the key of the element at a place of the new collection; asked of what was inserted or modified.
  /// - Returns: the new sections.
  /// - Complexity: O(elements), with one question for each element that changed.
  func advanced(
    by changes: PlaceChanges, order: Order?, _ key: (Int) -> Key
  ) -> Sectioning {
    var keys: [Key] = []
    let count = elementKeys.count - changes.deletions.count + changes.insertions.count
    keys.reserveCapacity(count)
    var (old, deleted, inserted) = (0, 0, 0)
    while keys.count < count {
      if inserted < changes.insertions.count, changes.insertions[inserted] == keys.count {
        inserted += 1
        keys.append(key(keys.count))
        continue
      }
      while deleted < changes.deletions.count, changes.deletions[deleted] == old {
        deleted += 1
        old += 1
      }
      keys.append(elementKeys[old])
      old += 1
    }
    for place in changes.newModifications { keys[place] = key(place) }
    return Sectioning(keys, order: order)
  }

  /// How these sections differ from those before a change.
  ///
  /// - Parameters:
  ///   - old: the sections before.
  ///   - changes: what happened to the elements.
  /// - Returns: the differences; each ascends.
  /// - Complexity: O(sections · log sections + changes · log elements + elements of inserted sections).
  func changes(since old: Sectioning, _ changes: PlaceChanges) -> PositionChanges {
    var result = PositionChanges()
    let kept = keptSections(since: old)
    result.deletedSections = old.keys.indices.filter { !kept.contains(old.keys[$0]) }
    result.insertedSections = keys.indices.filter { !kept.contains(keys[$0]) }

    var insertions: [SectionPosition] = []
    for place in changes.deletions where kept.contains(old.elementKeys[place]) {
      result.deletions.append(old.position(of: place))
    }
    for place in changes.insertions where kept.contains(elementKeys[place]) {
      insertions.append(position(of: place))
    }
    for (before, now) in zip(changes.modifications, changes.newModifications) {
      let (oldKey, newKey) = (old.elementKeys[before], elementKeys[now])
      if oldKey == newKey {
        if kept.contains(oldKey) { result.modifications.append(old.position(of: before)) }
        continue
      }
      if kept.contains(oldKey) { result.deletions.append(old.position(of: before)) }
      if kept.contains(newKey) { insertions.append(position(of: now)) }
    }
    for section in result.insertedSections {
      insertions += places[section].indices.map { SectionPosition(section: section, item: $0) }
    }
    result.insertions = insertions.sorted()
    result.deletions.sort()
    result.modifications.sort()
    return result
  }

  /// The keys of sections that both have, in one order: the longest chain of those.
  private func keptSections(since old: Sectioning) -> Set<Key> {
    // Patience sorting: of the chains of each length the one with the least end, and who comes before whom.
    let common = old.keys.compactMap { numbers[$0] }
    var ends: [Int] = []
    var before: [Int: Int] = [:]
    for number in common {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if ends[middle] < number { low = middle + 1 } else { high = middle }
      }
      if low > 0 { before[number] = ends[low - 1] }
      if low == ends.count { ends.append(number) } else { ends[low] = number }
    }
    var kept: Set<Key> = []
    var next = ends.last
    while let number = next {
      kept.insert(keys[number])
      next = before[number]
    }
    return kept
  }
}
