import VarveEncoding
import VarveStorage

/// Finds the elements of a set by position.
///
/// A file stores the elements in order without positions. The first read in a version therefore
/// skips the elements before the position, and the second one reads all elements, which are then
/// cached until the set is read in another version.
///
/// Thread safety: a value; the handle that owns it guards it.
package struct SetPositions: Sendable {
  /// A version, or the state of the set inside a transaction.
  private enum Stamp: Equatable {
    case snapshot(UInt64)
    case transaction(UInt64, edits: Int)
  }
  private var stamp: Stamp?
  /// All elements; nil before the second read.
  private var elements: [Value]?

  package init() {}

  /// Returns the element at a position. Out of bounds inside a write marks it as failed.
  ///
  /// - Parameters:
  ///   - index: The position.
  ///   - handle: The set.
  /// - Returns: The element; `.outOfBounds` also when the owner of the set does not exist.
  /// - Complexity: O(index) at the first read of a version, O(n) at the second, then O(1).
  package mutating func element(at index: Int, of handle: CollectionHandle) -> ElementRead {
    let read = handle.readingEntries { (reader, content, property, _) throws(Failure) in
      try element(at: index, content, property, reader, handle)
    }
    if case .outOfBounds? = read, let transaction = handle.context?.transaction {
      transaction.markFailed(handle.outOfBounds("index \(index), count \(handle.count)"))
    }
    return read ?? .outOfBounds
  }

  private mutating func element(
    at index: Int, _ content: CollectionContent, _ property: StoredProperty,
    _ reader: any TableReader,
    _ handle: CollectionHandle
  ) throws(Failure) -> ElementRead {
    guard index >= 0, index < content.count else { return .outOfBounds }
    let current = try Self.stamp(of: reader, handle)
    guard stamp == current else {
      stamp = current
      elements = nil
      let walk = SetWalk(content, property, in: reader)
      try walk.skip(index)
      return try walk.next().map(ElementRead.value) ?? .outOfBounds
    }
    if elements == nil { elements = try reader.setElements(content, property) }
    let all = elements ?? []
    return all.indices.contains(index) ? .value(all[index]) : .outOfBounds
  }

  private static func stamp(
    of reader: any TableReader, _ handle: CollectionHandle
  ) throws(Failure) -> Stamp {
    guard !(reader is Snapshot), let transaction = handle.context?.transaction else {
      return .snapshot((reader as? Snapshot)?.serial ?? 0)
    }
    let edits = try handle.edited(in: transaction).setEdits
    return .transaction(transaction.collectionsSerial, edits: edits)
  }
}
