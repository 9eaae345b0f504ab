import Testing
import VarveCore

extension IndexChanges {
  /// Expects the changes to transform one collection into another.
  ///
  /// Removing the deletions and then inserting the insertions gives the new collection. A modified
  /// element is at its old index in the old collection and at its new index in the new one, and is
  /// neither deleted nor inserted. A moved element is deleted and inserted.
  func expectLead<Element: Equatable>(
    from old: [Element], to new: [Element], _ comment: Comment
  ) {
    guard deletions.allSatisfy(old.indices.contains), insertions.allSatisfy(new.indices.contains)
    else {
      Issue.record("Indexes are out of bounds. \(comment)")
      return
    }
    var edited = old
    for index in deletions.reversed() { edited.remove(at: index) }
    for index in insertions {
      guard index <= edited.count else { break }
      edited.insert(new[index], at: index)
    }
    #expect(edited == new, comment)
    let (deletions, insertions) = (Set(deletions), Set(insertions))
    #expect(modifications.count == newModifications.count, comment)
    for (before, after) in zip(modifications, newModifications) {
      #expect(!deletions.contains(before) && !insertions.contains(after), comment)
      #expect(old[before] == new[after], comment)
    }
    for move in moves {
      #expect(deletions.contains(move.from) && insertions.contains(move.to), comment)
      #expect(old[move.from] == new[move.to], comment)
    }
    #expect(zip(moves, moves.dropFirst()).allSatisfy { $0.to < $1.to }, comment)
  }
}
