/// A walk over the entries of a range of keys, in one direction.
///
/// As an `EntryCursor`, it works on a snapshot over the pages, on one through LMDB, and on a write
/// transaction; there the keys and values are valid until the next write only.
///
/// Thread safety: one thread at a time.
@usableFromInline
package struct RangeCursor: ~Copyable {
  @usableFromInline var cursor: EntryCursor
  @usableFromInline let isForward: Bool
  @usableFromInline var state: State
  /// The last entry of the walk, over pages.
  @usableFromInline var lastPage: UnsafeRawPointer
  @usableFromInline var lastIndex: Int32 = 0
  /// The end of the walk: the upper bound forwards, the lower one backwards.
  @usableFromInline let bound: [UInt8]?

  @usableFromInline
  enum State {
    case fresh, onEntry, ended
  }

  /// A walk over the entries whose key is not less than `lower` and less than `upper`.
  ///
  /// - Parameters:
  ///   - reader: What is read.
  ///   - table: A table with byte keys.
  ///   - lower: nil is before the first entry.
  ///   - upper: nil is behind the last entry.
  ///   - isForward: The direction.
  package init(
    _ reader: any TableReader, _ table: Table, lower: [UInt8]?, upper: [UInt8]?,
    isForward: Bool = true
  ) {
    var first = reader.cursor(table)
    self.isForward = isForward
    lastPage = first.pages.base
    state = .ended
    bound = isForward ? upper : lower
    var isPresent = isForward ? Self.seekStart(&first, lower) : Self.seekEnd(&first, upper)
    if isPresent, let bound {
      isPresent = Self.isWithin(bound, first.key, isForward: isForward)
    }
    if isPresent, first.engine == nil {
      var last = reader.cursor(table)
      isPresent = isForward ? Self.seekEnd(&last, upper) : Self.seekStart(&last, lower)
      if isPresent {
        let frame = last.frames[last.depth - 1]
        lastPage = frame.page
        lastIndex = frame.index
      }
    }
    cursor = first
    if isPresent { state = .fresh }
  }

  /// Goes to the first entry that is not less than a bound.
  private static func seekStart(_ cursor: inout EntryCursor, _ lower: [UInt8]?) -> Bool {
    guard let lower else { return cursor.seekFirst() }
    return lower.withUnsafeBytes { cursor.seek(key: $0) }
  }

  /// Goes to the last entry that is less than a bound.
  private static func seekEnd(_ cursor: inout EntryCursor, _ upper: [UInt8]?) -> Bool {
    guard let upper, upper.withUnsafeBytes({ cursor.seek(key: $0) }) else {
      return cursor.seekLast()
    }
    return cursor.previous()
  }

  /// Goes to the next entry of the walk; the first time, to its first one.
  ///
  /// - Returns: Whether there is one.
  /// - Complexity: O(1) amortised.
  @inlinable
  package mutating func advance() -> Bool {
    guard state == .onEntry else {
      guard state == .fresh else { return false }
      state = .onEntry
      return true
    }
    if cursor.engine == nil {
      let frame = cursor.frames[cursor.depth &- 1]
      if frame.index != lastIndex || frame.page != lastPage {
        if isForward ? cursor.next() : cursor.previous() { return true }
      }
    } else if isForward ? cursor.next() : cursor.previous() {
      if isWithinBound { return true }
    }
    state = .ended
    return false
  }

  /// The key of the entry.
  @inlinable package var key: UnsafeRawBufferPointer { cursor.key }

  /// The value of the entry.
  @inlinable package var value: UnsafeRawBufferPointer { cursor.value }

  @usableFromInline
  var isWithinBound: Bool {
    guard let bound else { return true }
    return Self.isWithin(bound, cursor.key, isForward: isForward)
  }

  private static func isWithin(
    _ bound: [UInt8], _ key: UnsafeRawBufferPointer, isForward: Bool
  ) -> Bool {
    let order = bound.withUnsafeBytes { PageMap.compare(key, $0) }
    return isForward ? order < 0 : order >= 0
  }
}
