public import Foundation
import VarveCore

// Operations on several indexes at once, as used by the list views of user interfaces.

extension List {
  /// Removes the elements at the given indexes. Objects are not deleted from the realm.
  ///
  /// - Precondition: The indexes are in bounds. Otherwise the call traps outside of a write; inside
  ///   one, it marks the transaction as failed and removes nothing.
  public func remove(atOffsets offsets: IndexSet) {
    let ranges = offsets.rangeView.reversed()
    let indexes = [offsets.last].compactMap(\.self)
    let wasRemoved = change(indexes) { elements -> [[Element]] in
      ranges.map { elements.taking($0, replacing: []) }
    }
    if wasRemoved { return }
    handle.edit { (transaction, list) throws(Failure) in
      if let last = offsets.last { try transaction.checkElement(list, at: last) }
      for range in ranges { try transaction.remove(range, list) }
    }
  }

  /// Removes the elements of the current version that satisfy a predicate. Objects are not deleted
  /// from the realm.
  ///
  /// - Parameter shouldBeRemoved: The predicate. It is called once for each element, in order, and
  ///   must not change the list.
  /// - Throws: The error that the predicate throws. Nothing is removed then.
  /// - Complexity: O(n).
  public func removeAll(where shouldBeRemoved: (Element) throws -> Bool) rethrows {
    var offsets = IndexSet()
    for (index, element) in enumerated() where try shouldBeRemoved(element) {
      offsets.insert(index)
    }
    remove(atOffsets: offsets)
  }

  /// Moves the elements at the given indexes, in their order, before the element that is now at
  /// another index.
  ///
  /// - Parameters:
  ///   - source: The indexes of the elements to move.
  ///   - destination: The current index of the element before which the moved elements are
  ///     inserted, or the count.
  /// - Precondition: The indexes are in bounds. Otherwise the call traps outside of a write; inside
  ///   one, it marks the transaction as failed and moves nothing.
  public func move(fromOffsets source: IndexSet, toOffset destination: Int) {
    let steps = List.steps(from: source, to: destination)
    let wasMoved = change([destination, (source.last ?? -1) + 1], isInsertion: true) { elements in
      Misuse.require(0...elements.count ~= destination, "The destination is out of bounds.")
      for (from, to) in steps { elements.insert(elements.remove(at: from), at: to) }
    }
    if wasMoved { return }
    handle.edit { (transaction, list) throws(Failure) in
      try transaction.checkInsertion(list, at: destination)
      if let last = source.last { try transaction.checkElement(list, at: last) }
      for (from, to) in steps { try transaction.move(from: from, to: to, list) }
    }
  }

  /// Returns the moves of single elements, to be applied in order. Each source index is the one at
  /// the time of its move.
  private static func steps(from source: IndexSet, to destination: Int) -> [(from: Int, to: Int)] {
    // Elements before the destination move last to first, so that the remaining ones keep their
    // indexes. Elements behind the destination move first to last.
    let before = source.filter { $0 < destination }.reversed().enumerated().map { number, index in
      (from: index, to: destination - 1 - number)
    }
    let behind = source.filter { $0 >= destination }.enumerated().map { number, index in
      (from: index, to: destination + number)
    }
    return before + behind
  }
}
