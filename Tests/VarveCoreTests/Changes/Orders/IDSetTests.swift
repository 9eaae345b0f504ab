import Testing
import VarveTestSupport

@testable import VarveCore

@Suite struct IDSetTests {
  @Test(arguments: IDPattern.allCases)
  func randomEditsAgreeWithArray(pattern: IDPattern) {
    var random = SeededRandom()
    var set = IDSet()
    var model: [UInt64] = []
    for round in 0..<12 {
      // The rounds grow and shrink the set, so that blocks split, become bitmaps and back, and
      // join.
      let growth = round % 6 < 3 ? 80 : 10
      for _ in 0..<150 {
        let count = random.int(1...5)
        let start = pattern.id(&random)
        for step in 0..<UInt64(count) {
          if random.chance(growth) {
            add(start &+ step, to: &set, &model, "\(random)")
          } else if let id = random.element(model) {
            take(id, from: &set, &model, "\(random)")
          }
        }
      }
      expectSame(set, model, &random)
    }
    while let id = random.element(model) { take(id, from: &set, &model, "\(random)") }
    expectSame(set, model, &random)
  }

  private func add(_ id: UInt64, to set: inout IDSet, _ model: inout [UInt64], _ seed: Comment) {
    let insertion = model.firstIndex { $0 >= id } ?? model.count
    let isNew = insertion == model.count || model[insertion] != id
    if isNew { model.insert(id, at: insertion) }
    let wasNew = set.insert(id)
    #expect(wasNew == isNew, seed)
  }

  private func take(_ id: UInt64, from set: inout IDSet, _ model: inout [UInt64], _ seed: Comment) {
    model.removeAll { $0 == id }
    let wasMember = set.remove(id)
    let wasAgain = set.remove(id)
    #expect(wasMember && !wasAgain, seed)
  }

  private func expectSame(_ set: IDSet, _ model: [UInt64], _ random: inout SeededRandom) {
    let seed: Comment = "\(random)"
    set.expectSound(seed)
    #expect(set.count == model.count && set.isEmpty == model.isEmpty, seed)
    #expect(Array(set) == model, seed)
    for _ in 0..<30 {
      let index = random.below(model.count)
      if let id = random.element(model[min(index, model.count)...]) {
        #expect(set.contains(id), seed)
        #expect(model[set.rank(of: id)] == id, seed)
        let other = id &+ UInt64(random.below(3)) &- 1
        #expect(set.contains(other) == model.contains(other), seed)
        #expect(set.rank(of: other) == model.firstIndex { $0 >= other } ?? model.count, seed)
      }
      if index < model.count { #expect(set[index] == model[index], seed) }
    }
  }

  @Test(arguments: IDPattern.allCases)
  func buildingEqualsInserting(pattern: IDPattern) {
    var random = SeededRandom()
    for count in [0, 1, 2, 95, 96, 97, 129, 1500] {
      let ids = Set((0..<count).map { _ in pattern.id(&random) }).sorted()
      let set = IDSet(ids)
      expectSame(set, ids, &random)
    }
  }

  @Test(arguments: IDPattern.allCases)
  func buildingAcceptsIDsInAnyOrder(pattern: IDPattern) {
    var random = SeededRandom()
    let ids = (0..<700).map { _ in pattern.id(&random) }
    expectSame(IDSet(ids), Set(ids).sorted(), &random)
    // Ascending except for a few.
    let mixed = Set(ids).sorted() + ids.prefix(5)
    expectSame(IDSet(mixed), Set(ids).sorted(), &random)
  }

  @Test func consecutiveIDsCostAboutOneBitEach() {
    let built = IDSet(1...100_000)
    #expect(built.byteCount * 8 < 130_000)
    var grown = IDSet()
    for id in 1...20_000 as ClosedRange<UInt64> { grown.insert(id) }
    #expect(grown.byteCount * 8 < 26_000)
  }

  @Test func sparseIDsCostLittle() {
    let built = IDSet((0..<10_000).map { $0 << 32 })
    #expect(built.byteCount < 10 * 10_000)
    var grown = IDSet()
    for id in 0..<10_000 as Range<UInt64> { grown.insert(id << 32) }
    #expect(grown.byteCount < 13 * 10_000)
    // Each id lies between a bitmap and the id added last.
    var full = IDSet(0..<8000)
    for id in (1...2000 as ClosedRange<UInt64>).reversed() { full.insert(id << 32) }
    #expect(full.byteCount < 30 * 2000 && full.tree.leaves.count < 60)
  }

  @Test func joinedBlocksMayShareWord() {
    // One block has ids up to the first of a word; the next has a bitmap of the others in that word
    // and of one in the following word.
    var block = IDBlock(ids: [10, 320])
    let next = IDBlock(bitmap: [.max - 1, 1], base: 5, count: 64)
    #expect(block.canAppend(next))
    block.append(next)
    #expect(block.count == 66 && block.firstKey == 10)
    for (index, id) in ([10] + Array(320...384 as ClosedRange<UInt64>)).enumerated() {
      let location = block.locate(id)
      #expect(location.index == index && location.isMember)
    }
  }

  @Test func shrinkingSetReleasesBlocks() {
    var random = SeededRandom()
    for spread in [1, 1000] as [UInt64] {
      let ids = (0..<20_000).map { $0 * spread }
      var set = IDSet(ids)
      for id in ids.shuffled(using: &random).dropLast(100) { set.remove(id) }
      set.expectSound("\(random)")
      #expect(set.tree.leaves.count < 30 && set.byteCount == 8 * 100, "\(random)")
      #expect(set.tree.levels <= 3, "\(random)")
    }
  }

  @Test func copiesKeepTheirIDs() {
    var random = SeededRandom()
    var set = IDSet((0..<3000).map { $0 * 3 })
    var copies: [(IDSet, [UInt64])] = []
    for step in 0..<600 {
      if step % 100 == 0 { copies.append((set, Array(set))) }
      set.insert(UInt64(random.below(12_000)))
      if !set.isEmpty { set.remove(set[random.below(set.count)]) }
    }
    for (copy, ids) in copies {
      #expect(Array(copy) == ids, "\(random)")
      copy.expectSound("\(random)")
    }
  }

  @Test(arguments: [1, 10, 1 << 30] as [UInt64])
  func copyCostsOnlyChangedBlocks(spread: UInt64) {
    var random = SeededRandom()
    let old = IDSet((0..<50_000).map { $0 * spread })
    var new = old
    for _ in 0..<6 {
      new.remove(old[random.below(old.count)])
      new.insert(UInt64(random.below(50_000)) * spread + 1)
    }
    let known = Set(old.tree.leaves.map(\.words.address))
    let unknown = new.tree.leaves.count { !known.contains($0.words.address) }
    // One block for each edit, and the blocks that a split or a join needs in addition.
    #expect(unknown > 0 && unknown <= 24, "\(random)")
  }

  @Test func smallestAndLargestIDsAreMembers() {
    var set = IDSet()
    let edges: [UInt64] = [.min, .max, .max - 1, 1, 63, 64, .max - 63, .max - 64]
    for id in edges { set.insert(id) }
    #expect(Array(set) == edges.sorted())
    for (index, id) in edges.sorted().enumerated() { #expect(set.rank(of: id) == index) }
    #expect(Array(IDSet(edges.sorted())) == edges.sorted())
    let top = IDSet(.max - 500...UInt64.max)
    #expect(top.count == 501 && top[500] == .max && top.rank(of: .max) == 500)
    #expect(Array(top.prefix(1)) == [.max - 500])
  }
}

extension IDSet {
  /// The size of the blocks' contents in bytes.
  fileprivate var byteCount: Int { tree.leaves.reduce(0) { $0 + 8 * $1.words.count } }
}

extension IDSet {
  func expectSound(_ comment: Comment) {
    tree.expectSound(comment, sameKey: ==) { block in
      guard block.words.count <= IDBlock.maximumWords else { return false }
      guard block.isBitmap else {
        return block.count == block.words.count
          && zip(block.words, block.words.dropFirst()).allSatisfy { $0 < $1 }
      }
      return block.words.first != 0 && block.words.last != 0
        && block.count == block.words.reduce(0) { $0 + $1.nonzeroBitCount }
    }
  }
}

/// The distributions of ids.
enum IDPattern: CaseIterable {
  case dense, halfDense, scattered, clustered, mixed, edges, anywhere

  func id(_ random: inout SeededRandom) -> UInt64 {
    switch self {
    case .dense: UInt64(random.below(3000))
    case .halfDense: UInt64(random.below(40_000))
    case .scattered: UInt64(random.below(1 << 30)) * 50
    case .clustered: UInt64(random.below(6)) << 40 + UInt64(random.below(700))
    // Some ids are far apart, with a dense group among them.
    case .mixed: random.chance(60) ? 1 << 40 + UInt64(random.below(1000)) : random.next() >> 20
    // Like the ids of integer keys next to the minimum, 0 and the maximum.
    case .edges: random.pick([0, 1 << 63, .max]) &+ UInt64(random.below(400)) &- 200
    case .anywhere: random.oneIn(20) ? random.pick([.min, .max, .max - 1]) : random.next()
    }
  }
}
