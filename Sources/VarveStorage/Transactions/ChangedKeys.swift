/// The keys of one table that a write transaction has put or deleted, in order.
///
/// Most of what is read inside a write is unchanged. With these keys a range is read over the pages
/// of the version before the write, and only the changed entries are read through LMDB. A read
/// therefore costs as much as outside the write, plus a little for each changed key of its range.
/// LMDB has no function that returns the changes of a transaction.
///
/// Recording a key appends it; keys are sorted when a read needs them. A key that was changed and
/// changed back stays recorded, and so does a key whose change a nested transaction has rolled
/// back: recorded entries may differ, all others do not.
///
/// Thread safety: a value; the transaction that owns it is used by one thread at a time.
struct ChangedKeys {
  /// The maximum number of recorded keys. Beyond it, the table is read through LMDB.
  static let maximumCount = 65_536
  /// The maximum number of recorded bytes of keys.
  private static let maximumBytes = 8 << 20

  private struct Entry {
    let offset: UInt32
    let count: UInt16
    /// Whether the version before the write has the key; unknown until it is looked up.
    var wasPresent: Presence
    /// Whether the transaction has the key.
    var isPresent: Presence
  }

  enum Presence: UInt8 {
    case unknown, absent, present
  }

  /// Whether all changed keys are recorded.
  private(set) var isComplete = true
  /// The bytes of the keys, each padded to whole words.
  private var words: [UInt64] = []
  private var sorted: [Entry] = []
  /// The keys recorded since `sorted` was built, in the order of the changes.
  private var tail: [Entry] = []
  /// A bit set of hashes of the recorded ids; empty while there are few.
  private var idBits: [UInt64] = []

  /// Records a key that is put, or deleted.
  mutating func note(_ key: UnsafeRawBufferPointer, isPresent: Bool) {
    guard isComplete else { return }
    guard hasRoom else { return giveUp() }
    noteKey(ofCount: key.count, isPresent)
    var offset = 0
    while offset + 8 <= key.count {
      words.append(key.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    guard offset < key.count else { return }
    var last: UInt64 = 0
    withUnsafeMutableBytes(of: &last) {
      $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: key[offset...]))
    }
    words.append(last)
  }

  /// Records a key of a table with integer keys.
  @inline(__always)
  mutating func note(_ id: UInt64, isPresent: Bool) {
    guard isComplete else { return }
    guard hasRoom else { return giveUp() }
    noteKey(ofCount: 8, isPresent)
    words.append(id.bigEndian)
    if !idBits.isEmpty {
      noteBit(of: id)
    } else if words.count > Self.fewIDs {
      makeBits()
    }
  }

  private var hasRoom: Bool {
    sorted.count + tail.count < Self.maximumCount && words.count < Self.maximumBytes / 8
  }

  @inline(__always)
  private mutating func noteKey(ofCount count: Int, _ isPresent: Bool) {
    tail.append(
      Entry(
        offset: UInt32(words.count * 8), count: UInt16(count), wasPresent: .unknown,
        isPresent: isPresent ? .present : .absent))
  }

  @inline(__always)
  private mutating func noteBit(of id: UInt64) {
    let bit = Self.bit(of: id)
    idBits[bit >> 6] |= 1 << UInt64(bit & 63)
  }

  private mutating func makeBits() {
    idBits = [UInt64](repeating: 0, count: Self.bitCount / 64)
    for word in words { noteBit(of: UInt64(bigEndian: word)) }
  }

  /// The number of ids up to which they are compared one by one.
  private static let fewIDs = 8

  /// Whether an id may have been recorded. False positives are rare while few ids are recorded.
  ///
  /// - Complexity: O(1); does not sort.
  @inline(__always)
  func mayHold(_ id: UInt64) -> Bool {
    guard isComplete else { return true }
    if idBits.isEmpty { return words.contains(id.bigEndian) }
    let bit = Self.bit(of: id)
    return idBits[bit >> 6] & 1 << UInt64(bit & 63) != 0
  }

  private static let bitCount = 8192

  @inline(__always)
  private static func bit(of id: UInt64) -> Int {
    Int(truncatingIfNeeded: (id &* 0x9E37_79B9_7F4A_7C15) >> 51)
  }

  /// Records that any key may have changed.
  mutating func giveUp() {
    self = ChangedKeys()
    isComplete = false
  }

  /// Resets which keys the transaction has, after a nested transaction was rolled back.
  mutating func forgetPresence() {
    for index in sorted.indices { sorted[index].isPresent = .unknown }
    for index in tail.indices { tail[index].isPresent = .unknown }
  }

  // MARK: Reading

  /// The number of keys, once they are sorted.
  var count: Int { sorted.count }

  /// Sorts the keys recorded since the last call.
  ///
  /// - Complexity: O(k log k + n) for k keys recorded since the last call; O(k log n) comparisons
  ///   if k is small.
  mutating func sort() {
    guard !tail.isEmpty else { return }
    var added: [Entry] = []
    var all: [Entry] = []
    swap(&added, &tail)
    swap(&all, &sorted)
    words.withUnsafeBytes { bytes in
      // The later of two equal keys has the greater offset.
      added.sort { (a, b) in
        let order = Self.compare(a, b, bytes)
        return order == 0 ? a.offset < b.offset : order < 0
      }
      if added.count <= 16 {
        for entry in added { Self.insert(entry, into: &all, bytes) }
      } else {
        all = Self.merge(all, added, bytes)
      }
    }
    sorted = all
  }

  /// Returns the indexes of the keys from `lower` up to, but not including, `upper`.
  ///
  /// - Precondition: The keys are sorted.
  func indices(
    lower: UnsafeRawBufferPointer?, upper: UnsafeRawBufferPointer?
  ) -> Range<Int> {
    words.withUnsafeBytes { bytes in
      let start = lower.map { Self.lowerBound($0, in: sorted, bytes) } ?? 0
      let end = upper.map { Self.lowerBound($0, in: sorted, bytes) } ?? sorted.count
      return start..<max(start, end)
    }
  }

  /// Calls a closure with the bytes of a key.
  func withKey<R>(at index: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R {
    words.withUnsafeBytes { body(Self.key(of: sorted[index], $0)) }
  }

  /// Returns the key of a table with integer keys.
  func id(at index: Int) -> UInt64 {
    withKey(at: index) { UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)) }
  }

  /// Whether the transaction is known not to have a key.
  func isAbsent(at index: Int) -> Bool { sorted[index].isPresent == .absent }

  /// Returns the difference between the numbers of entries in the transaction and in the version
  /// before it, among some keys.
  ///
  /// - Parameters:
  ///   - indices: The indexes of the keys.
  ///   - was: A closure that returns whether the version before the write has a key.
  ///   - isNow: A closure that returns whether the transaction has it.
  /// - Returns: How many more entries the transaction has.
  /// - Complexity: O(indices); each key is looked up once.
  mutating func countDifference(
    _ indices: Range<Int>, was: (UnsafeRawBufferPointer) -> Bool,
    isNow: (UnsafeRawBufferPointer) -> Bool
  ) -> Int {
    var difference = 0
    for index in indices {
      var entry = sorted[index]
      if entry.wasPresent == .unknown || entry.isPresent == .unknown {
        withKey(at: index) { key in
          if entry.wasPresent == .unknown { entry.wasPresent = was(key) ? .present : .absent }
          if entry.isPresent == .unknown { entry.isPresent = isNow(key) ? .present : .absent }
        }
        sorted[index] = entry
      }
      difference += Int(entry.isPresent.rawValue) - Int(entry.wasPresent.rawValue)
    }
    return difference
  }

  // MARK: Order

  private static func key(
    of entry: Entry, _ bytes: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer {
    let start = Int(entry.offset)
    return UnsafeRawBufferPointer(rebasing: bytes[start..<(start + Int(entry.count))])
  }

  private static func compare(_ a: Entry, _ b: Entry, _ bytes: UnsafeRawBufferPointer) -> Int {
    PageMap.compare(key(of: a, bytes), key(of: b, bytes))
  }

  private static func lowerBound(
    _ key: UnsafeRawBufferPointer, in entries: [Entry], _ bytes: UnsafeRawBufferPointer
  ) -> Int {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if PageMap.compare(Self.key(of: entries[middle], bytes), key) < 0 {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }

  private static func insert(
    _ entry: Entry, into entries: inout [Entry], _ bytes: UnsafeRawBufferPointer
  ) {
    let index = lowerBound(key(of: entry, bytes), in: entries, bytes)
    if index < entries.count, compare(entries[index], entry, bytes) == 0 {
      entries[index].isPresent = entry.isPresent
    } else {
      entries.insert(entry, at: index)
    }
  }

  /// Merges sorted entries into others, which have each key once. The last one of equal keys
  /// replaces the others.
  private static func merge(
    _ old: [Entry], _ added: [Entry], _ bytes: UnsafeRawBufferPointer
  ) -> [Entry] {
    var merged: [Entry] = []
    merged.reserveCapacity(old.count + added.count)
    var next = 0
    for entry in added {
      while next < old.count, compare(old[next], entry, bytes) <= 0 {
        merged.append(old[next])
        next += 1
      }
      if let last = merged.last, compare(last, entry, bytes) == 0 {
        merged[merged.count - 1].isPresent = entry.isPresent
      } else {
        merged.append(entry)
      }
    }
    merged.append(contentsOf: old[next...])
    return merged
  }
}
