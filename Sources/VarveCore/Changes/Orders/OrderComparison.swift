/// Computes the changes of an order from the indexes at which elements left and entered it.
struct OrderComparison {
  /// An element that enters the order.
  struct Arrival {
    /// The number of elements that have not left and come before this one.
    var gap = 0
    /// The element's old index, if it left the order to enter it again.
    var oldIndex: Int?
  }

  /// The old indexes of the elements that left, in ascending order.
  let leaving: [Int]

  /// The elements that entered, in the new order.
  let arriving: [Arrival]

  /// - Parameter modified: The old indexes, ascending, of elements that have not left and have
  ///   changed.
  /// - Returns: The changes, with a minimal number of moves.
  /// - Complexity: O(n log n) in the number of elements given.
  func changes(modified: [Int]) -> IndexChanges {
    var changes = IndexChanges()
    let staying = staying()
    var next = 0
    for index in leaving {
      if next < staying.count, staying[next].oldIndex == index {
        next += 1
      } else {
        changes.deletions.append(index)
      }
    }
    next = 0
    for (position, arrival) in arriving.enumerated() {
      if next < staying.count, staying[next].position == position {
        next += 1
        continue
      }
      let index = arrival.gap + position
      changes.insertions.append(index)
      if let old = arrival.oldIndex { changes.moves.append(.init(from: old, to: index)) }
    }
    changes.modify(staying.isEmpty ? modified : (modified + staying.map(\.oldIndex)).sorted())
    return changes
  }

  /// An element that entered the order where it had left it.
  private struct Stay {
    var oldIndex: Int
    /// The index among the arrivals.
    var position: Int
  }

  /// Returns as many elements as possible that can be treated as having stayed, in order.
  private func staying() -> [Stay] {
    var staying: [Stay] = []
    var candidates: [Stay] = []
    var gap = -1
    for (position, arrival) in arriving.enumerated() {
      if arrival.gap != gap {
        staying += Self.longestAscending(candidates)
        candidates.removeAll(keepingCapacity: true)
        gap = arrival.gap
      }
      guard let old = arrival.oldIndex, old - leavingCount(before: old) == gap else { continue }
      candidates.append(Stay(oldIndex: old, position: position))
    }
    return staying + Self.longestAscending(candidates)
  }

  /// Returns the number of elements that left from below an index.
  private func leavingCount(before index: Int) -> Int {
    leaving.countAscending { $0 < index }
  }

  /// Returns a longest subsequence with ascending old indexes. The choice among several is
  /// deterministic.
  ///
  /// - Complexity: O(n log n)
  private static func longestAscending(_ elements: [Stay]) -> [Stay] {
    CommonWords.longestIncreasing(elements.map(\.oldIndex)).map { elements[$0] }
  }
}
