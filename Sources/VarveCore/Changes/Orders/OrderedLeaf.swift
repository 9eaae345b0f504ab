/// Neighbouring entries of a sorted order.
struct OrderedLeaf: CountedLeaf {
  static var maximumEntries: Int { 128 }
  /// What a built leaf holds, and at most one that is put together from two.
  static var usualEntries: Int { 96 }
  /// A leaf with fewer is joined with a neighbour.
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

  /// - Returns: the upper entries, if the leaf was full.
  mutating func insert(_ entry: OrderedEntry, at index: Int) -> OrderedLeaf? {
    guard entries.count == Self.maximumEntries else {
      // A shared leaf is copied with room for more, so that it is not copied again to grow.
      entries.reserveCapacity(Self.maximumEntries)
      entries.insert(entry, at: index)
      return nil
    }
    // At the end it is often the next of many, which need not leave half-empty leaves behind.
    let cut = index == entries.count ? entries.count * 3 / 4 : entries.count / 2
    var next = OrderedLeaf(entries: Array(entries[cut...]))
    entries.removeSubrange(cut...)
    // Neither is full.
    _ = index > cut ? next.insert(entry, at: index - cut) : insert(entry, at: index)
    return next
  }

  mutating func remove(at index: Int) {
    entries.reserveCapacity(Self.maximumEntries)
    entries.remove(at: index)
  }

  /// Finds the end of the entries that come before a place.
  ///
  /// - Parameter isBefore: holds for no entry, or for all up to some entry.
  /// - Returns: how many it holds for.
  /// - Throws: what `isBefore` throws.
  func firstIndex<Failing: Error>(
    notBefore isBefore: (OrderedEntry) throws(Failing) -> Bool
  ) throws(Failing) -> Int {
    try entries.countAscending(before: isBefore)
  }
}
