/// The entries of an unmanaged map, in the order of the keys' bytes.
///
/// Thread safety: a value.
struct UnmanagedMap<Value: Sendable>: Sendable {
  typealias Entry = (key: String, value: Value)

  private(set) var entries: [Entry] = []

  init() {}

  /// Takes over entries in any order; of a key that comes twice the last value stays.
  ///
  /// - Complexity: O(n log n).
  init(_ unsorted: [Entry]) {
    let order = unsorted.indices.sorted { first, second in
      let (a, b) = (unsorted[first].key, unsorted[second].key)
      return Self.precedes(a, b) || !Self.precedes(b, a) && first < second
    }
    entries.reserveCapacity(order.count)
    for index in order {
      if let last = entries.last, Self.isSame(last.key, unsorted[index].key) {
        entries.removeLast()
      }
      entries.append(unsorted[index])
    }
  }

  /// The value under a key.
  ///
  /// - Complexity: O(log n).
  subscript(key: String) -> Value? {
    let place = place(of: key)
    return isKey(key, at: place) ? entries[place].value : nil
  }

  /// Sets the value under a key; nil removes the key.
  ///
  /// - Returns: the value that there was.
  /// - Complexity: O(n) for a new key and a removed one, O(log n) at the end and for one that is there.
  mutating func set(_ value: Value?, forKey key: String) -> Value? {
    let place = place(of: key)
    guard isKey(key, at: place) else {
      if let value { entries.insert((key, value), at: place) }
      return nil
    }
    let old = entries[place].value
    if let value { entries[place].value = value } else { entries.remove(at: place) }
    return old
  }

  /// Takes over other entries in place of all.
  ///
  /// - Returns: what there was.
  mutating func replace(with other: UnmanagedMap) -> UnmanagedMap {
    let old = self
    self = other
    return old
  }

  /// Takes over other entries, in place of those that are under their keys.
  ///
  /// - Returns: what there was.
  /// - Complexity: as of ``init(_:)``, for the entries of both.
  mutating func merge(_ other: UnmanagedMap) -> UnmanagedMap {
    replace(with: UnmanagedMap(entries + other.entries))
  }

  /// The place of a key, or where it would stand.
  private func place(of key: String) -> Int {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if Self.precedes(entries[middle].key, key) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }

  private func isKey(_ key: String, at place: Int) -> Bool {
    place < entries.count && Self.isSame(entries[place].key, key)
  }

  private static func precedes(_ a: String, _ b: String) -> Bool {
    a.utf8.lexicographicallyPrecedes(b.utf8)
  }

  private static func isSame(_ a: String, _ b: String) -> Bool { a.utf8.elementsEqual(b.utf8) }
}
