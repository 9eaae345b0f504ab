import Foundation
import VarveCore

extension Sectioning {
  /// Returns the sections after a change.
  ///
  /// - Parameters:
  ///   - changes: The changes of the elements.
  ///   - order: The order of the sections.
  ///   - key: Returns the key of the element at an index of the new collection. It is called for
  ///     inserted and modified elements.
  /// - Complexity: O(elements), with one evaluation of the key for each element that changed.
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
    for index in changes.newModifications { keys[index] = key(index) }
    return Sectioning(keys, order: order)
  }

  /// Returns the difference from the sections before a change.
  ///
  /// - Parameters:
  ///   - old: The sections before the change.
  ///   - changes: The changes of the elements.
  ///   - key: The key of the only section to report; nil reports all sections.
  /// - Complexity: O(sections · log sections + changes · log elements + elements of inserted
  ///   sections).
  func changes(
    since old: Sectioning, _ changes: CollectionChanges, only key: Key?
  ) -> SectionChanges {
    let kept = keptSections(since: old)
    let deletedSections = old.keys.indices.filter { !kept.contains(old.keys[$0]) }
    let insertedSections = keys.indices.filter { !kept.contains(keys[$0]) }

    var (deletions, insertions, modifications): ([IndexPath], [IndexPath], [IndexPath]) =
      ([], [], [])
    for index in changes.deletions where kept.contains(old.elementKeys[index]) {
      deletions.append(old.position(of: index))
    }
    for index in changes.insertions where kept.contains(elementKeys[index]) {
      insertions.append(position(of: index))
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
      insertions += indexes[section].indices.map { IndexPath(indexes: [section, $0]) }
    }

    let (was, now) = (key.flatMap { old.numbers[$0] }, key.flatMap { numbers[$0] })
    func reported(_ paths: [IndexPath], _ number: Int?) -> [IndexPath] {
      paths.filter { key == nil || $0[0] == number }.sorted()
    }
    return SectionChanges(
      deletions: reported(deletions, was), insertions: reported(insertions, now),
      modifications: reported(modifications, was),
      sectionsToInsert: IndexSet(insertedSections.filter { key == nil || $0 == now }),
      sectionsToDelete: IndexSet(deletedSections.filter { key == nil || $0 == was }))
  }

  /// Returns the keys of the sections that are in both, in the same relative order: a longest
  /// common subsequence.
  private func keptSections(since old: Sectioning) -> Set<Key> {
    let common = old.keys.compactMap { numbers[$0] }
    return Set(CommonWords.longestIncreasing(common).map { keys[common[$0]] })
  }
}
