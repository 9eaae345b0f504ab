import VarveCore
import VarveEncoding

extension RealmCollection where Element: ObjectBase {
  /// Returns the next page: the objects that follow an object in the order of the collection.
  ///
  /// A page is located by the values that the collection is sorted by, and not by an offset.
  /// Objects that are inserted or deleted before the page do not shift it, and an index with the
  /// order is read from the start of the page. In one version, that of frozen results, each object
  /// is on exactly one page.
  ///
  /// This applies to all objects of a class, and to those that satisfy a condition, in the order of
  /// the class or sorted. In other collections, in results that are distinct or limited, and for an
  /// order by mixed values or with a collation other than by bytes, the index of the object is
  /// looked up and the page is located by that index.
  ///
  /// ```swift
  /// var page = people.sorted(by: \.name).page(after: nil, count: 50)
  /// while let last = page.last {
  ///   page = people.sorted(by: \.name).page(after: last, count: 50)
  /// }
  /// ```
  /// - Parameters:
  ///   - object: The last object of the previous page, or nil for the first page. Its values are
  ///     read now. The page after a deleted object is empty.
  ///   - count: The maximum number of objects of the page.
  /// - Precondition: The collection is managed.
  /// - Returns: The page, as results.
  /// - Complexity: O(sort keys). The page is located when it is read: in O(log n + count) in the
  ///   order of an index or of an integer primary key, plus the objects that a condition without an
  ///   index rejects, or whose first sort value is equal to that of the last object; otherwise in
  ///   O(n).
  public func page(after object: Element?, count: Int) -> Results<Element> {
    let results = queried
    guard let object else { return results.limit(count) }
    return results.page(after: object.handle, count)
  }
}

extension Results {
  fileprivate func page(after handle: borrowing RowHandle, _ count: Int) -> Results {
    guard let condition = self.handle.condition(after: handle) else {
      guard let offset = self.handle.offset(after: handle) else { return narrowed(by: .never) }
      return limited(by: ElementQuery.LimitClause(offset: offset, limit: count))
    }
    return narrowed(by: condition).limit(count)
  }
}
