import Testing
import VarveTestSupport

@testable import VarveCore

@Suite struct IndexChangesLinksTests {
  @Test func keptElementsBecomeModifications() {
    var changes = IndexChanges()
    changes.deletions = [0, 4, 5]
    changes.insertions = [2, 3, 7]
    // The old indexes 1 2 3 6 7 8 are the new indexes 0 1 4 5 6 8.
    changes.modifications = [6]
    changes.newModifications = [5]
    changes.addModifications(at: [0, 2, 5, 6, 8])
    #expect(Array(changes.modifications) == [1, 6, 7, 8])
    #expect(Array(changes.newModifications) == [0, 5, 6, 8])
    #expect(Array(changes.insertions) == [2, 3, 7] && Array(changes.deletions) == [0, 4, 5])
  }

  @Test func withoutOtherChangesOldAndNewIndexesAreEqual() {
    var changes = IndexChanges()
    changes.addModifications(at: [])
    #expect(changes.isEmpty)
    changes.addModifications(at: [3, 4, 9])
    #expect(changes.modifications.ranges == [3..<5, 9..<10])
    #expect(changes.newModifications == changes.modifications)
  }

  @Test func oldAndNewIndexesNameSameElement() {
    var random = SeededRandom()
    for _ in 0..<500 {
      let old = Array(0..<random.int(0...30))
      var changes = IndexChanges()
      var new: [Int] = []
      for element in old {
        while random.oneIn(4) {
          changes.insertions.append(new.count)
          new.append(-1)
        }
        if random.oneIn(4) {
          changes.deletions.append(element)
          continue
        }
        if random.oneIn(5) {
          changes.modifications.append(element)
          changes.newModifications.append(new.count)
        }
        new.append(element)
      }
      let before = changes
      var wanted = IndexRanges()
      for index in new.indices where random.oneIn(3) { wanted.append(index) }
      changes.addModifications(at: wanted)
      let expected = new.indices.filter { index in
        new[index] >= 0
          && (wanted.contains(index) || before.newModifications.contains(index))
      }
      #expect(Array(changes.newModifications) == expected, "\(random)")
      #expect(Array(changes.modifications) == expected.map { new[$0] }, "\(random)")
    }
  }
}
