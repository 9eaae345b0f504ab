import Testing
import VarveTestSupport

@testable import VarveCore

/// Describes the first fault of changes that are to transform one array into another; nil when they
/// are correct.
///
/// - Parameters:
///   - old: The array to start from.
///   - new: The expected result.
///   - movesAreFound: Whether moves must be reported for elements that occur once in both arrays.
func fault<Element: Hashable>(
  _ changes: IndexChanges, from old: [Element], to new: [Element], movesAreFound: Bool = false
) -> String? {
  let deletions = Set(changes.deletions)
  let insertions = Set(changes.insertions)
  let oldModified = Array(changes.modifications)
  let newModified = Array(changes.newModifications)
  guard deletions.allSatisfy(old.indices.contains), insertions.allSatisfy(new.indices.contains),
    oldModified.allSatisfy(old.indices.contains), newModified.allSatisfy(new.indices.contains)
  else { return "an index is out of bounds" }
  guard oldModified.count == newModified.count else { return "modifications do not pair" }
  let partners = Dictionary(uniqueKeysWithValues: zip(newModified, oldModified))
  var stayed = old.indices.filter { !deletions.contains($0) }.makeIterator()
  for index in new.indices where !insertions.contains(index) {
    guard let source = stayed.next() else { return "too few elements stayed" }
    if let partner = partners[index] {
      if partner != source { return "modification \(partner) is at \(source)" }
      if old[source] == new[index] { return "an equal element is modified at \(index)" }
    } else if old[source] != new[index] {
      return "\(source) is not \(index)"
    }
  }
  if stayed.next() != nil { return "too many elements stayed" }
  return moveFault(changes, from: old, to: new, movesAreFound, deletions, insertions)
}

private func moveFault<Element: Hashable>(
  _ changes: IndexChanges, from old: [Element], to new: [Element], _ movesAreFound: Bool,
  _ deletions: Set<Int>, _ insertions: Set<Int>
) -> String? {
  guard movesAreFound else { return changes.moves.isEmpty ? nil : "moves are reported" }
  let oldIndexes = Dictionary(grouping: old.indices) { old[$0] }.filter { $0.value.count == 1 }
  let newIndexes = Dictionary(grouping: new.indices) { new[$0] }.filter { $0.value.count == 1 }
  var expected: [IndexChanges.Move] = []
  for to in insertions.sorted() {
    if let from = oldIndexes[new[to]]?.first, newIndexes[new[to]] != nil, deletions.contains(from) {
      expected.append(IndexChanges.Move(from: from, to: to))
    }
  }
  return changes.moves == expected ? nil : "moves are \(changes.moves), not \(expected)"
}

extension IndexChanges {
  /// The number of elements that are neither deleted, inserted nor modified.
  func unchangedCount(of oldCount: Int) -> Int {
    oldCount - deletions.count - modifications.count
  }
}

/// The length of a longest common subsequence.
func commonCount<Element: Equatable>(_ old: [Element], _ new: [Element]) -> Int {
  var row = [Int](repeating: 0, count: new.count + 1)
  for element in old {
    var diagonal = 0
    for (index, other) in new.enumerated() {
      let above = row[index + 1]
      row[index + 1] = element == other ? diagonal + 1 : max(above, row[index])
      diagonal = above
    }
  }
  return row[new.count]
}
