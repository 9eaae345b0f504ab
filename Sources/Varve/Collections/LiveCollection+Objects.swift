import VarveCore

extension _LiveCollection where Element: Object {
  /// The place, in the version that is read now, of an object, at whatever version its handle is.
  ///
  /// Unlike `==`, this asks for the stored object: one of another store is not in the collection,
  /// though it may have the same primary key.
  ///
  /// - Parameter object: the object.
  /// - Returns: nil when it is not in the collection.
  /// - Complexity: O(n).
  public func firstIndex(of object: Element) -> Int? { firstIndex { $0.isSameRow(as: object) } }

  /// Whether an object is in the collection; see ``firstIndex(of:)``.
  ///
  /// - Parameter object: the object.
  /// - Returns: whether it is.
  /// - Complexity: O(n).
  public func contains(_ object: Element) -> Bool { firstIndex(of: object) != nil }
}

extension Object {
  /// Whether both handles stand for one stored object, at whatever versions, or are one object.
  func isSameRow(as other: Object) -> Bool {
    if self === other { return true }
    guard let mine = cell.context, let theirs = other.cell.context, mine.store === theirs.store,
      !cell.isRolledBack, !other.cell.isRolledBack
    else { return false }
    return cell.id == other.cell.id && cell.binding.schema?.id == other.cell.binding.schema?.id
  }
}
