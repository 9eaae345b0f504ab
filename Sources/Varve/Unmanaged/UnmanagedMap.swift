/// The entries of an unmanaged map, ordered by the bytes of their keys.
struct UnmanagedMap<Value: Sendable>: Sendable {
  typealias Entry = (key: String, value: Value)

  private(set) var entries: [Entry] = []

  init() {}

  /// Creates a map from entries in any order. For duplicate keys, the last value is kept.
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

  /// The value for a key.
  ///
  /// - Complexity: O(log n).
  subscript(key: String) -> Value? {
    let index = index(of: key)
    return isKey(key, at: index) ? entries[index].value : nil
  }

  /// Sets the value for a key; nil removes the key.
  ///
  /// - Returns: The previous value.
  /// - Complexity: O(n) to insert or remove a key, O(log *n*) to insert at the end and to replace
  ///   a value.
  mutating func set(_ value: Value?, forKey key: String) -> Value? {
    let index = index(of: key)
    guard isKey(key, at: index) else {
      if let value { entries.insert((key, value), at: index) }
      return nil
    }
    let old = entries[index].value
    if let value { entries[index].value = value } else { entries.remove(at: index) }
    return old
  }

  /// Replaces all entries.
  ///
  /// - Returns: The previous entries.
  mutating func replace(with other: UnmanagedMap) -> UnmanagedMap {
    let old = self
    self = other
    return old
  }

  /// Adds entries, replacing the values of existing keys.
  ///
  /// - Returns: The previous entries.
  /// - Complexity: that of ``init(_:)`` for the entries of both maps.
  mutating func merge(_ other: UnmanagedMap) -> UnmanagedMap {
    replace(with: UnmanagedMap(entries + other.entries))
  }

  /// Returns the index of a key, or the index at which it would be inserted.
  private func index(of key: String) -> Int {
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

  private func isKey(_ key: String, at index: Int) -> Bool {
    index < entries.count && Self.isSame(entries[index].key, key)
  }

  private static func precedes(_ a: String, _ b: String) -> Bool {
    a.utf8.lexicographicallyPrecedes(b.utf8)
  }

  private static func isSame(_ a: String, _ b: String) -> Bool { a.utf8.elementsEqual(b.utf8) }
}
