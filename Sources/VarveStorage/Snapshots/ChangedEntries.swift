/// The entries of a range that a write transaction has changed, in the direction of a walk, and the parts of the range between
/// their keys.
///
/// Thread safety: one thread at a time, as the transaction.
@usableFromInline
package final class ChangedEntries {
  /// The version before the write, which has all other entries.
  let base: Snapshot
  /// LMDB's cursor on the entry that ``find()`` has found; nil where nothing is changed.
  let cursor: EngineCursor?
  private let keys: ChangedKeys
  private let places: Range<Int>
  private let lower: [UInt8]?
  private let upper: [UInt8]?
  private let isForward: Bool
  /// How many keys the walk has come to.
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
    places = changes?.places ?? 0..<0
    self.lower = lower
    self.upper = upper
    self.isForward = isForward
  }

  /// The bounds of the part between the key that the walk has come to last and the next one.
  var segment: (lower: [UInt8]?, upper: [UInt8]?) {
    let before = isForward ? key(passed - 1) : key(passed)
    let behind = isForward ? key(passed) : key(passed - 1)
    // With a zero byte at its end, a key is the least one behind the key.
    return (before.map { $0 + [0] } ?? lower, behind ?? upper)
  }

  /// Goes to the next changed key.
  ///
  /// - Returns: Whether there is one.
  func next() -> Bool {
    guard passed < places.count else { return false }
    passed += 1
    isOnKey = true
    return true
  }

  /// Reads the entry of the key.
  ///
  /// - Returns: Whether the transaction has it.
  /// - Complexity: O(log n).
  func find() -> Bool {
    guard let cursor else { return false }
    let place = place(passed - 1)
    if keys.isAbsent(at: place) { return false }
    return keys.withKey(at: place) {
      cursor.seek($0) && PageMap.compare(cursor.key, $0) == 0
    }
  }

  func leaveKey() { isOnKey = false }

  private func place(_ number: Int) -> Int {
    isForward ? places.lowerBound + number : places.upperBound - 1 - number
  }

  /// The key that the walk comes to after some others; nil behind the last one, and before the first.
  private func key(_ number: Int) -> [UInt8]? {
    guard number >= 0, number < places.count else { return nil }
    return keys.withKey(at: place(number)) { Array($0) }
  }
}
