/// Finds the words that occur once in each of two sequences.
///
/// Only the words of the first sequence are stored, so it should be the shorter one.
///
/// Thread safety: a value for one thread.
package struct CommonWords {
  /// A word of both sequences, and its index in each.
  struct Pair: Equatable {
    let word: UInt64
    let first: Int
    let second: Int
  }

  private struct Entry {
    let word: UInt64
    var first: UInt32
    var second: UInt32
  }

  private static let none = UInt32.max
  private static let several = UInt32.max - 1

  /// The words of the first sequence, each once, in the order of their first occurrence.
  private var entries: [Entry] = []
  /// A hash table: each slot contains an entry's number plus one, or 0; collisions go to the next
  /// slot.
  private var slots: [UInt32]
  /// A random seed, so that no list contents can be crafted to make many words collide.
  private let seed = UInt64.random(in: 0...UInt64.max)

  /// - Parameter capacity: The maximum number of words in the first sequence.
  /// - Precondition: the capacity is less than 2³⁰.
  init(capacity: Int) {
    precondition(capacity < 1 << 30, "Too many words to look up.")
    var size = 16
    while size < 2 * capacity { size *= 2 }
    slots = [UInt32](repeating: 0, count: size)
    entries.reserveCapacity(capacity)
  }

  /// Adds a word of the first sequence.
  mutating func addFirst(_ word: UInt64, at index: Int) {
    let slot = slot(of: word)
    if slots[slot] != 0 {
      entries[Int(slots[slot]) - 1].first = Self.several
      return
    }
    entries.append(Entry(word: word, first: UInt32(clamping: index), second: Self.none))
    slots[slot] = UInt32(entries.count)
  }

  /// Adds a word of the second sequence, after all words of the first.
  mutating func addSecond(_ word: UInt64, at index: Int) {
    let number = slots[slot(of: word)]
    guard number != 0 else { return }
    let entry = Int(number) - 1
    entries[entry].second =
      entries[entry].second == Self.none ? UInt32(clamping: index) : Self.several
  }

  /// The words that were added once to each sequence, in the order of the first.
  var pairs: [Pair] {
    var pairs: [Pair] = []
    for entry in entries where entry.first < Self.several && entry.second < Self.several {
      pairs.append(
        Pair(word: entry.word, first: Int(entry.first), second: Int(entry.second)))
    }
    return pairs
  }

  /// Returns the slot that contains a word, or the empty slot where it belongs.
  private func slot(of word: UInt64) -> Int {
    let product = (word ^ seed).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    var slot = Int(truncatingIfNeeded: product.high ^ product.low) & (slots.count - 1)
    while slots[slot] != 0, entries[Int(slots[slot]) - 1].word != word {
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }
}

extension CommonWords {
  /// Selects as many words as possible that occur once on both sides and are in the same order
  /// there.
  ///
  /// - Returns: Their indexes, ascending on both sides.
  /// - Complexity: O(n + m), plus O(k log k) for k words that occur once on both sides.
  static func inOrder(
    _ old: UnsafeBufferPointer<UInt64>, _ new: UnsafeBufferPointer<UInt64>
  ) -> [(old: Int, new: Int)] {
    let isOldFirst = old.count <= new.count
    let (first, second) = isOldFirst ? (old, new) : (new, old)
    var words = CommonWords(capacity: first.count)
    for index in first.indices { words.addFirst(first[index], at: index) }
    for index in second.indices { words.addSecond(second[index], at: index) }
    let pairs = words.pairs
    return longestIncreasing(pairs.map(\.second)).map { index in
      let pair = pairs[index]
      return isOldFirst ? (pair.first, pair.second) : (pair.second, pair.first)
    }
  }

  /// Returns the indexes of a longest increasing subsequence of distinct numbers.
  ///
  /// - Complexity: O(n log n), O(n) if the numbers already ascend.
  package static func longestIncreasing(_ numbers: [Int]) -> [Int] {
    // For each length, the index of the least number that ends an increasing subsequence of that
    // length.
    var ends: [Int] = []
    var previous = [Int](repeating: -1, count: numbers.count)
    for (index, number) in numbers.enumerated() {
      let isHighest = ends.last.map { numbers[$0] < number } ?? true
      let position = isHighest ? ends.count : ends.countAscending { numbers[$0] < number }
      if position > 0 { previous[index] = ends[position - 1] }
      if position == ends.count { ends.append(index) } else { ends[position] = index }
    }
    var selection: [Int] = []
    var index = ends.last ?? -1
    while index >= 0 {
      selection.append(index)
      index = previous[index]
    }
    return selection.reversed()
  }
}
