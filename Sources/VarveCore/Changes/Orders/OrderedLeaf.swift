/// Consecutive entries of a sorted order.
struct OrderedLeaf: CountedLeaf {
  static var maximumEntries: Int { 128 }
  /// The number of entries in a newly built leaf, and the maximum of a leaf merged from two.
  static var usualEntries: Int { 96 }
  /// A leaf with fewer entries is merged with a neighbor.
  static var lowEntries: Int { 32 }

  private(set) var entries: [OrderedEntry] = []

  init() {}

  init(entries: [OrderedEntry]) { self.entries = entries }

  var count: Int { entries.count }

  var firstKey: OrderedEntry { entries[0] }

  var isLow: Bool { entries.count < Self.lowEntries }

  func canAppend(_ next: OrderedLeaf) -> Bool {
    entries.count + next.entries.count <= Self.usualEntries
  }

  mutating func append(_ next: OrderedLeaf) { entries.append(contentsOf: next.entries) }

  /// - Returns: The upper entries, if the leaf was full.
  mutating func insert(_ entry: OrderedEntry, at index: Int) -> OrderedLeaf? {
    guard entries.count == Self.maximumEntries else {
      // A shared leaf is copied with spare capacity, so that growing does not copy it again.
      entries.reserveCapacity(Self.maximumEntries)
      entries.insert(entry, at: index)
      return nil
    }
    // An entry added at the end is often followed by more, so the split leaves the first part three
    // quarters full instead of half.
    let cut = index == entries.count ? entries.count * 3 / 4 : entries.count / 2
    var next = OrderedLeaf(entries: Array(entries[cut...]))
    entries.removeSubrange(cut...)
    // Neither leaf is full.
    _ = index > cut ? next.insert(entry, at: index - cut) : insert(entry, at: index)
    return next
  }

  mutating func remove(at index: Int) {
    entries.reserveCapacity(Self.maximumEntries)
    entries.remove(at: index)
  }

  /// Returns the number of entries at the beginning of the leaf that satisfy a predicate.
  ///
  /// - Parameter isBefore: A predicate that is true for all entries up to some index and false
  ///   after it.
  /// - Throws: The errors of `isBefore`.
  func firstIndex<Failing: Error>(
    notBefore isBefore: (OrderedEntry) throws(Failing) -> Bool
  ) throws(Failing) -> Int {
    try entries.countAscending(before: isBefore)
  }
}
