@testable import VarveCore

/// Edits one at a time.
extension OrderedIDs {
  init(sorting entries: [OrderedEntry], by rows: RowOrder) throws(Failure) {
    var entries = entries
    try Self.sort(&entries, by: rows) { $0 }
    self.init(inOrder: entries)
  }

  /// - Returns: The index of the entry, or nil if it was already in the order.
  @discardableResult
  mutating func insert(_ entry: OrderedEntry, by rows: RowOrder) throws(Failure) -> Int? {
    let (index, isMember) = try locate(entry, by: rows)
    guard !isMember else { return nil }
    insert(entry, at: index)
    return index
  }

  /// - Returns: The former index of the entry, or nil if it was not in the order.
  @discardableResult
  mutating func remove(_ entry: OrderedEntry, by rows: RowOrder) throws(Failure) -> Int? {
    guard let index = try position(of: entry, by: rows) else { return nil }
    remove(at: index)
    return index
  }
}

extension IDSet {
  func contains(_ id: UInt64) -> Bool { locate(id).isMember }

  /// The number of ids below the id.
  func rank(of id: UInt64) -> Int { locate(id).index }

  /// - Returns: Whether the id was not a member before.
  @discardableResult
  mutating func insert(_ id: UInt64) -> Bool {
    !apply(inserted: [id]).insertions.isEmpty
  }

  /// - Returns: Whether the id was a member before.
  @discardableResult
  mutating func remove(_ id: UInt64) -> Bool {
    !apply(removed: [id]).deletions.isEmpty
  }
}
