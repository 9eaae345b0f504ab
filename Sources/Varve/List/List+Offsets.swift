public import Foundation
import VarveCore

// Several places at once, as views of lists name them.

extension List {
  /// Removes the elements at some places; objects stay in the realm.
  ///
  /// - Parameter offsets: the places.
  /// - Precondition: outside of a write, the places are in bounds, as of an array; inside one, one out of bounds dooms the
  ///   write, and nothing is removed.
  public func remove(atOffsets offsets: IndexSet) {
    let ranges = offsets.rangeView.reversed()
    let places = [offsets.last].compactMap(\.self)
    let wasRemoved = change(places) { elements -> [[Element]] in
      ranges.map { elements.taking($0, replacing: []) }
    }
    if wasRemoved { return }
    handle.edit { (transaction, list) throws(Failure) in
      if let last = offsets.last { try transaction.checkElement(list, at: last) }
      for range in ranges { try transaction.remove(range, list) }
    }
  }

  /// Removes the elements that satisfy a predicate, in the version that is read now; objects stay in the realm.
  ///
  /// - Parameter shouldBeRemoved: the predicate, asked once for each element, in order. It must not change the list.
  /// - Throws: what the predicate throws; nothing is removed then.
  /// - Complexity: O(n).
  public func removeAll(where shouldBeRemoved: (Element) throws -> Bool) rethrows {
    var offsets = IndexSet()
    for (place, element) in enumerated() where try shouldBeRemoved(element) {
      offsets.insert(place)
    }
    remove(atOffsets: offsets)
  }

  /// Moves the elements at some places, in their order, before the element that is at another place now.
  ///
  /// - Parameters:
  ///   - source: the places of the elements.
  ///   - destination: the place of the element that comes behind them, or the count.
  /// - Precondition: outside of a write, the places are in bounds, as of an array; inside one, one out of bounds dooms the
  ///   write, and nothing is moved.
  public func move(fromOffsets source: IndexSet, toOffset destination: Int) {
    let steps = List.steps(from: source, to: destination)
    let wasMoved = change([destination, (source.last ?? -1) + 1], isInsertion: true) { elements in
      precondition(0...elements.count ~= destination, "The destination is out of bounds.")
      for (from, to) in steps { elements.insert(elements.remove(at: from), at: to) }
    }
    if wasMoved { return }
    handle.edit { (transaction, list) throws(Failure) in
      try transaction.checkInsertion(list, at: destination)
      if let last = source.last { try transaction.checkElement(list, at: last) }
      for (from, to) in steps { try transaction.move(from: from, to: to, list) }
    }
  }

  /// One element after the other, each from where it is then.
  private static func steps(from source: IndexSet, to destination: Int) -> [(from: Int, to: Int)] {
    // Those before the destination go to it from the last on, so that the ones to come stay where they are; those
    // behind it from the first on.
    let before = source.filter { $0 < destination }.reversed().enumerated().map { number, place in
      (from: place, to: destination - 1 - number)
    }
    let behind = source.filter { $0 >= destination }.enumerated().map { number, place in
      (from: place, to: destination + number)
    }
    return before + behind
  }
}
