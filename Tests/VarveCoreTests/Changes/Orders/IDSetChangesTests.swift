import Testing
import VarveTestSupport

@testable import VarveCore

@Suite struct IDSetChangesTests {
  @Test(arguments: IDPattern.allCases)
  func randomBatchesReportChanges(pattern: IDPattern) {
    var random = SeededRandom()
    var ids = Set((0..<600).map { _ in pattern.id(&random) }).sorted()
    var set = IDSet(ids)
    for step in 0..<100 {
      let size = step % 30 == 0 ? 400 : random.below(12)
      // The ids are in any order, and some occur more than once.
      let leaving = (0..<size).compactMap { _ in random.element(ids) }
      let arriving = (0..<size).map { _ in pattern.id(&random) } + leaving.prefix(step % 2)
      let changing = (0..<size).compactMap { _ in random.element(ids) } + leaving.prefix(step % 3)
      let removed = Set(leaving)
      let inserted = Set(arriving).subtracting(Set(ids).subtracting(removed))
      let modified = Set(changing).subtracting(removed)
      let new = Set(ids).subtracting(removed).union(inserted).sorted()
      let before = set
      let changes = set.apply(removed: leaving, inserted: arriving, modified: changing)
      changes.expectLead(from: ids, to: new, "\(random)")
      #expect(changes.deletions.map { ids[$0] } == removed.sorted(), "\(random)")
      #expect(changes.insertions.map { new[$0] } == inserted.sorted(), "\(random)")
      #expect(changes.modifications.map { ids[$0] } == modified.sorted(), "\(random)")
      #expect(Array(set) == new, "\(random)")
      #expect(Array(before) == ids, "\(random)")
      set.expectSound("\(random)")
      ids = new
    }
  }

  @Test func inapplicableEditsAreIgnored() {
    var set = IDSet([10, 20, 30])
    let changes = set.apply(removed: [5, 15, 35], inserted: [20], modified: [1, 25])
    #expect(changes.isEmpty)
    #expect(Array(set) == [10, 20, 30])
  }

  @Test(arguments: IDPattern.allCases)
  func emptySetFillsAndEmpties(pattern: IDPattern) {
    var random = SeededRandom()
    let all = Set((0..<3000).map { _ in pattern.id(&random) }).sorted()
    let indexes = all.indices
    var set = IDSet()
    var changes = set.apply(removed: all, modified: all)
    #expect(changes.isEmpty, "\(random)")
    changes = set.apply(inserted: all.shuffled(using: &random), modified: all)
    #expect(changes.insertions.ranges == [indexes] && changes.deletions.isEmpty, "\(random)")
    #expect(changes.modifications.isEmpty && Array(set) == all, "\(random)")
    changes = set.apply(modified: all.reversed())
    #expect(changes.modifications.ranges == [indexes], "\(random)")
    #expect(changes.newModifications.ranges == [indexes], "\(random)")
    changes = set.apply(removed: all.shuffled(using: &random), modified: all)
    #expect(changes.deletions.ranges == [indexes] && set.isEmpty, "\(random)")
    #expect(changes.modifications.isEmpty, "\(random)")
  }

  @Test func removedAndInsertedIDIsDeletedAndInserted() {
    var set = IDSet([10, 20, 30])
    let changes = set.apply(removed: [20], inserted: [20, 20], modified: [20, 30, 30])
    #expect(changes.deletions == [1] && changes.insertions == [1])
    #expect(changes.modifications == [2] && changes.newModifications == [2])
    #expect(Array(set) == [10, 20, 30])
  }
}
