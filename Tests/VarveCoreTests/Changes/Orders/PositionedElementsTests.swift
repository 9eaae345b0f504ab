import Testing
import VarveTestSupport

@testable import VarveCore

@Suite struct PositionedElementsTests {
  /// Objects in an order, and the same objects with positions.
  private struct Pair {
    var objects: [UInt64]
    var elements: PositionedElements

    init(_ objects: [UInt64]) {
      self.objects = objects
      elements = PositionedElements(objects)
    }

    /// Removes random elements and inserts others. An object may occur several times.
    mutating func replace(
      _ random: inout SeededRandom, most: Int
    ) -> (replaced: PositionedElements.Replaced?, deletions: IndexRanges, insertions: IndexRanges) {
      var deletions = IndexRanges()
      var kept: [UInt64] = []
      for (index, object) in objects.enumerated() {
        if random.below(objects.count + 1) < random.below(most + 1) {
          deletions.append(index)
        } else {
          kept.append(object)
        }
      }
      var insertions = IndexRanges()
      var inserted: [UInt64] = []
      objects = []
      for object in kept + [0] {
        while inserted.count < most, random.below(kept.count + 1) < random.below(most) {
          insertions.append(objects.count)
          inserted.append(UInt64(random.below(40)) + 1)
          objects.append(inserted[inserted.count - 1])
        }
        if object > 0 { objects.append(object) }
      }
      return (elements.replace(deletions, insertions, inserted), deletions, insertions)
    }

    func expectSame(_ comment: Comment) {
      #expect(elements.objects == objects && elements.count == objects.count, comment)
      let positions = elements.elements.map(\.prefix)
      #expect(zip(positions, positions.dropFirst()).allSatisfy { $0 < $1 }, comment)
      for (index, element) in elements.elements.enumerated() {
        #expect(elements.index(ofPosition: element.prefix) == index, comment)
        #expect(elements.object(atPosition: element.prefix) == element.id, comment)
      }
    }
  }

  @Test func elementsKeepPositionsWhileOthersAreReplaced() throws {
    var random = SeededRandom()
    for count in [0, 1, 5, 60, 300] {
      var pair = Pair((0..<count).map { _ in UInt64(random.below(40)) + 1 })
      for _ in 0..<60 {
        let old = pair
        let (replaced, deletions, insertions) = pair.replace(&random, most: 6)
        let found = try #require(replaced, "\(random)")
        pair.expectSame("\(random)")
        old.expectSame("\(random)")
        let stayed = old.elements.elements.enumerated().filter { !deletions.contains($0.offset) }
        let now = pair.elements.elements.enumerated().filter { !insertions.contains($0.offset) }
        #expect(stayed.map(\.element) == now.map(\.element), "\(random)")
        #expect(found.removed.count == deletions.count, "\(random)")
        #expect(
          Set(found.removed.map(\.prefix))
            == Set(deletions.map { old.elements.elements[$0].prefix }), "\(random)")
        #expect(found.inserted == insertions.map { pair.elements.elements[$0] }, "\(random)")
      }
    }
  }

  @Test func allOccurrencesOfObjectsAreFound() {
    var random = SeededRandom()
    var pair = Pair((0..<300).map { _ in UInt64(random.below(40)) + 1 })
    for _ in 0..<200 {
      let wanted = Set((0..<random.below(4)).map { _ in UInt64(random.below(44)) })
      let indexes = pair.objects.indices.filter { wanted.contains(pair.objects[$0]) }
      #expect(Array(pair.elements.indexes(of: wanted.sorted())) == indexes, "\(random)")
      #expect(
        pair.elements.find(wanted.sorted()) == indexes.map { pair.elements.elements[$0] },
        "\(random)")
      _ = pair.replace(&random, most: 3)
      pair.expectSame("\(random)")
    }
    let many = (0..<44).map { UInt64($0) }
    #expect(pair.elements.find(many).count == pair.objects.count)
  }

  @Test func manyElementsFitAtBothEnds() {
    var elements = PositionedElements([])
    for number in 1...2000 {
      #expect(elements.replace([], [0], [UInt64(number)]) != nil)
      #expect(elements.replace([], [elements.count], [UInt64(number)]) != nil)
    }
    #expect(elements.objects == (1...2000).reversed() + (1...2000))
  }

  @Test func insertionWithoutRoomFails() {
    var elements = PositionedElements([1, 2])
    var count = 0
    while count < 100, elements.replace([], [1], [3]) != nil { count += 1 }
    #expect(count >= 30 && count < 100)
  }

  @Test func indexesOutOfBoundsAreRefused() {
    var elements = PositionedElements([1, 2])
    #expect(elements.replace([2], [], []) == nil)
    elements = PositionedElements([1, 2])
    #expect(elements.replace([], [3], [7]) == nil)
    elements = PositionedElements([1, 2])
    #expect(elements.replace([], [1], []) == nil)
  }
}

extension PositionedElements {
  fileprivate mutating func replace(
    _ deletions: IndexRanges, _ insertions: IndexRanges, _ objects: [UInt64]
  ) -> Replaced? {
    replace(.init(deletions: deletions, insertions: insertions, objects: objects))
  }
}
