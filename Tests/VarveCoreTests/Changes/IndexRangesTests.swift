import Testing
import VarveCore
import VarveTestSupport

@Suite struct IndexRangesTests {
  @Test func adjacentIndexesFormOneRange() {
    var indexes: IndexRanges = [3, 4, 5, 9]
    #expect(indexes.ranges == [3..<6, 9..<10])
    indexes.append(10..<20)
    indexes.append(20..<20)
    #expect(indexes.ranges == [3..<6, 9..<20])
    #expect(indexes.count == 14)
  }

  @Test func indexesEqualAppendedIndexes() {
    var random = SeededRandom()
    for _ in 0..<200 {
      let expected = (0..<60).filter { _ in random.chance(40) }
      var indexes = IndexRanges()
      for index in expected { indexes.append(index) }
      #expect(Array(indexes) == expected, "\(random)")
      #expect((-1..<61).filter(indexes.contains) == expected, "\(random)")
      #expect(indexes.count == expected.count && indexes.isEmpty == expected.isEmpty, "\(random)")
    }
  }
}
