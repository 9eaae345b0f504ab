import Foundation
import VarveCore

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
    by changes: CollectionChanges, order: Order?, _ key: (Int) -> Key
  ) -> Sectioning {
    typealias Difference = Swift.CollectionDifference<Key>
    let edits: [Difference.Change] =
      changes.deletions.map { .remove(offset: $0, element: elementKeys[$0], associatedWith: nil) }
      + changes.insertions.map { .insert(offset: $0, element: key($0), associatedWith: nil) }
    guard let difference = Difference(edits), var keys = elementKeys.applying(difference) else {
      preconditionFailure("The changes are those of the elements.")
    }
    for place in changes.newModifications { keys[place] = key(place) }
    return Sectioning(keys, order: order)
  }

  /// How these sections differ from those before a change.
  ///
  /// - Parameters:
  ///   - old: the sections before.
  ///   - changes: what happened to the elements.
  ///   - key: the key of the only section to report; nil reports all sections.
  /// - Returns: the differences.
  /// - Complexity: O(sections · log sections + changes · log elements + elements of inserted sections).
  func changes(
    since old: Sectioning, _ changes: CollectionChanges, only key: Key?
  ) -> SectionChanges {
    let kept = keptSections(since: old)
    let deletedSections = old.keys.indices.filter { !kept.contains(old.keys[$0]) }
    let insertedSections = keys.indices.filter { !kept.contains(keys[$0]) }

    var (deletions, insertions, modifications): ([IndexPath], [IndexPath], [IndexPath]) =
      ([], [], [])
    for place in changes.deletions where kept.contains(old.elementKeys[place]) {
      deletions.append(old.position(of: place))
    }
    for place in changes.insertions where kept.contains(elementKeys[place]) {
      insertions.append(position(of: place))
    }
    for (before, now) in zip(changes.modifications, changes.newModifications) {
      let (oldKey, newKey) = (old.elementKeys[before], elementKeys[now])
      if oldKey == newKey {
        if kept.contains(oldKey) { modifications.append(old.position(of: before)) }
        continue
      }
      if kept.contains(oldKey) { deletions.append(old.position(of: before)) }
      if kept.contains(newKey) { insertions.append(position(of: now)) }
    }
    for section in insertedSections {
      insertions += places[section].indices.map { IndexPath(indexes: [section, $0]) }
    }

    let (was, now) = (key.flatMap { old.numbers[$0] }, key.flatMap { numbers[$0] })
    func told(_ paths: [IndexPath], _ number: Int?) -> [IndexPath] {
      paths.filter { key == nil || $0[0] == number }.sorted()
    }
    return SectionChanges(
      deletions: told(deletions, was), insertions: told(insertions, now),
      modifications: told(modifications, was),
      sectionsToInsert: IndexSet(insertedSections.filter { key == nil || $0 == now }),
      sectionsToDelete: IndexSet(deletedSections.filter { key == nil || $0 == was }))
  }

  /// The keys of sections that both have, in one order: the longest chain of those.
  private func keptSections(since old: Sectioning) -> Set<Key> {
    let common = old.keys.compactMap { numbers[$0] }
    return Set(CommonWords.longestIncreasing(common).map { keys[common[$0]] })
  }
}
