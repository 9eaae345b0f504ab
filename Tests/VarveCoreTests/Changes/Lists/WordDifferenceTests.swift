import Testing
import VarveTestSupport

@testable import VarveCore

@Suite struct WordDifferenceTests {
  @Test func smallDifferencesAreMinimal() {
    var random = SeededRandom()
    for _ in 0..<4000 {
      let alphabet = random.pick([1, 2, 3, 8, 40])
      let old = words(&random, count: random.int(0...20), below: alphabet)
      let new = words(&random, count: random.int(0...20), below: alphabet)
      let replacements = WordDifference.replacements(old, new)
      #expect(faults(replacements, old, new).isEmpty, "\(random)")
      let kept = old.count - replacements.reduce(0) { $0 + $1.old.count }
      #expect(kept == commonCount(old, new), "\(random)")
    }
  }

  @Test func editsUpToBoundAreMinimal() {
    var random = SeededRandom()
    for _ in 0..<6 {
      let old = words(&random, count: 1500, below: 1 << 40)
      var new = old
      // One edit is a removal or an insertion.
      for edit in 0..<WordDifference.maximumEdits {
        if edit % 2 == 0 {
          new.remove(at: random.below(new.count))
        } else {
          new.insert(random.next(), at: random.int(0...new.count))
        }
      }
      let replacements = WordDifference.replacements(old, new)
      #expect(faults(replacements, old, new).isEmpty, "\(random)")
      let edits = replacements.reduce(0) { $0 + $1.old.count + $1.new.count }
      #expect(edits <= WordDifference.maximumEdits, "\(random)")
    }
  }

  @Test func pastBoundUniqueWordsAnchorComparison() {
    var random = SeededRandom()
    let old = (0..<6000).map { UInt64($0) }
    var new: [UInt64] = []
    for word in old where !random.oneIn(4) {
      if random.oneIn(4) { new.append(random.next() | 1 << 63) }
      new.append(word)
    }
    let replacements = WordDifference.replacements(old, new)
    #expect(faults(replacements, old, new).isEmpty, "\(random)")
    let kept = old.count - replacements.reduce(0) { $0 + $1.old.count }
    #expect(kept == new.filter { $0 < 6000 }.count, "\(random)")
  }

  @Test func pastBoundRepeatedWordsAreComparedBetweenAnchors() {
    var random = SeededRandom()
    // Every hundredth word occurs once. The other words give no anchors.
    let old: [UInt64] = (0..<8000).map { $0 % 100 == 0 ? 1000 + $0 : $0 % 3 }
    var new = old
    for index in stride(from: 7950, to: 0, by: -100) {
      new.removeSubrange(index..<index + 9)
      new.insert(contentsOf: [7, 8, 7, 8, 7, 8, 7], at: index + 20)
    }
    let replacements = WordDifference.replacements(old, new)
    #expect(faults(replacements, old, new).isEmpty, "\(random)")
    let edits = replacements.reduce(0) { $0 + $1.old.count + $1.new.count }
    #expect(edits > WordDifference.maximumEdits && edits <= 80 * 16, "\(random)")
    let noise = words(&random, count: 5000, below: 2)
    let other = words(&random, count: 4000, below: 2)
    #expect(faults(WordDifference.replacements(noise, other), noise, other).isEmpty, "\(random)")
  }

  @Test func pastBoundWordsWithoutAnchorsAreReplaced() {
    let old: [UInt64] = (0..<3000).map { $0 % 2 }
    let new: [UInt64] = (0..<3000).map { $0 % 7 == 0 ? 5 : $0 % 2 + 10 }
    let replacements = WordDifference.replacements(old, new)
    #expect(replacements == [ListReplacement(old: 0..<3000, new: 0..<3000)])
  }

  @Test func wordsUniqueOnBothSidesAreFound() {
    var random = SeededRandom()
    for _ in 0..<300 {
      let old = words(&random, count: random.int(0...60), below: 40)
      let new = words(&random, count: random.int(0...60), below: 40)
      let found = old.withUnsafeBufferPointer { old in
        new.withUnsafeBufferPointer { CommonWords.inOrder(old, $0) }
      }
      let once = old.filter { word in
        old.count { $0 == word } == 1 && new.count { $0 == word } == 1
      }
      let onceNew = new.filter { once.contains($0) }
      #expect(found.count == commonCount(once, onceNew), "\(random)")
      #expect(found.allSatisfy { old[$0.old] == new[$0.new] && once.contains(old[$0.old]) })
      let ascends = zip(found, found.dropFirst()).allSatisfy {
        $0.old < $1.old && $0.new < $1.new
      }
      #expect(ascends, "\(random)")
    }
  }

  private func words(_ random: inout SeededRandom, count: Int, below: Int) -> [UInt64] {
    (0..<count).map { _ in UInt64(random.below(below)) }
  }

  /// Describes the faults of replacements. They must ascend, be separate and not empty, and the
  /// words between them must be equal.
  private func faults(
    _ replacements: [ListReplacement], _ old: [UInt64], _ new: [UInt64]
  ) -> [String] {
    var faults: [String] = []
    var before = 0
    var after = 0
    let end = ListReplacement(old: old.count..<old.count, new: new.count..<new.count)
    for (number, replacement) in (replacements + [end]).enumerated() {
      let isEnd = number == replacements.count
      let oldBegin = replacement.old.lowerBound
      let newBegin = replacement.new.lowerBound
      guard before <= oldBegin, after <= newBegin,
        old[before..<oldBegin].elementsEqual(new[after..<newBegin])
      else { return ["what lies before \(replacement) differs"] }
      if !isEnd, number > 0, before == oldBegin { faults.append("\(replacement) touches") }
      if !isEnd, replacement.old.isEmpty && replacement.new.isEmpty { faults.append("empty") }
      before = replacement.old.upperBound
      after = replacement.new.upperBound
    }
    return faults
  }
}
