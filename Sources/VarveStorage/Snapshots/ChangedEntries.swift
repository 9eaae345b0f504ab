/// The entries of a range that a write transaction has changed, in the direction of a walk, and the
/// parts of the range between their keys.
///
/// Thread safety: one thread at a time, like the transaction.
@usableFromInline
package final class ChangedEntries {
  /// The version before the write, which contains all other entries.
  let base: Snapshot
  /// LMDB's cursor on the entry that ``find()`` has found; nil without changes.
  let cursor: EngineCursor?
  private let keys: ChangedKeys
  private let indices: Range<Int>
  private let lower: [UInt8]?
  private let upper: [UInt8]?
  private let isForward: Bool
  /// The number of keys that the walk has reached.
  private var passed = 0
  /// Whether the walk is on a changed key.
  private(set) var isOnKey = false

  init(
    _ changes: RangeChanges?, base: Snapshot, cursor: EngineCursor?, lower: [UInt8]?,
    upper: [UInt8]?, isForward: Bool
  ) {
    self.base = base
    self.cursor = cursor
    keys = changes?.keys ?? ChangedKeys()
    indices = changes?.indices ?? 0..<0
    self.lower = lower
    self.upper = upper
    self.isForward = isForward
  }

  /// The bounds of the part between the last key reached and the next one.
  var segment: (lower: [UInt8]?, upper: [UInt8]?) {
    let before = isForward ? key(passed - 1) : key(passed)
    let behind = isForward ? key(passed) : key(passed - 1)
    // A key with a zero byte appended is the least key greater than it.
    return (before.map { $0 + [0] } ?? lower, behind ?? upper)
  }

  /// Moves to the next changed key.
  ///
  /// - Returns: Whether there is one.
  func next() -> Bool {
    guard passed < indices.count else { return false }
    passed += 1
    isOnKey = true
    return true
  }

  /// Reads the entry of the key.
  ///
  /// - Returns: Whether the transaction contains it.
  /// - Complexity: O(log n).
  func find() -> Bool {
    guard let cursor else { return false }
    let index = index(passed - 1)
    if keys.isAbsent(at: index) { return false }
    return keys.withKey(at: index) {
      cursor.seek($0) && PageMap.compare(cursor.key, $0) == 0
    }
  }

  func leaveKey() { isOnKey = false }

  private func index(_ number: Int) -> Int {
    isForward ? indices.lowerBound + number : indices.upperBound - 1 - number
  }

  /// Returns the key at a position of the walk; nil before the first and after the last one.
  private func key(_ number: Int) -> [UInt8]? {
    guard number >= 0, number < indices.count else { return nil }
    return keys.withKey(at: index(number)) { Array($0) }
  }
}
