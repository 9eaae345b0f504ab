import Testing

@testable import BenchmarkKit

@Suite struct SmallCollectionsTests {
  @Test func stringsHaveThreeToEightBytesAndAreDistinct() {
    for list in SmallCollections.lists(5000) {
      #expect(list.count == SmallCollections.length)
      #expect(Set(list).count == list.count)
      #expect(list.allSatisfy { (3...8).contains($0.utf8.count) })
    }
    let lengths = SmallCollections.lists(5000).joined().map(\.utf8.count)
    #expect(Set(lengths) == Set(3...8))
  }

  @Test func keysAreThoseOfLists() {
    let keys = SmallCollections.maps(100).map { $0.map(\.key) }
    #expect(keys == SmallCollections.lists(100))
  }

  @Test func changesReplaceElementsAndValues() {
    let lists = SmallCollections.lists(100)
    let maps = SmallCollections.maps(100)
    let ofLists = SmallCollections.listChanges(1000, of: 100)
    let ofMaps = SmallCollections.mapChanges(1000, of: 100)
    #expect(ofLists.allSatisfy { lists[$0.id].indices.contains($0.index) })
    #expect(ofLists.contains { lists[$0.id][$0.index] != $0.element })
    #expect(
      ofMaps.allSatisfy { change in
        maps[change.id].contains { $0.key == change.key && $0.value != change.value }
      })
    #expect(Set(ofLists.map { $0.id * 5 + $0.index }).count > 400)
  }

  @Test func checksumDependsOnEveryPart() {
    var sums = [["a", "b"], ["b", "a"], ["ab"], ["a", "c"], ["a"], []].map { Expected.lists([$0]) }
    sums.append(Expected.lists([["a"], ["b"]]))
    sums.append(Expected.lists([["b"], ["a"]]))
    #expect(allDiffer(sums))
    var ofMaps = [["a": 1, "b": 2], ["a": 2, "b": 1], ["a": 1], ["b": 1], [:]]
      .map { Expected.maps([$0]) }
    ofMaps.append(Expected.maps([["a": 1], ["b": 2]]))
    ofMaps.append(Expected.maps([["b": 2], ["a": 1]]))
    #expect(allDiffer(ofMaps))
  }

  private func allDiffer(_ sums: [Checksum]) -> Bool {
    sums.indices.allSatisfy { index in sums[..<index].allSatisfy { $0 != sums[index] } }
  }
}
