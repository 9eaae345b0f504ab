import VarveCore
import VarveEncoding

extension RealmCollection where Element: ObjectBase {
  /// The objects that follow one in the order of the collection: the next page.
  ///
  /// Pages are told apart by the values that the collection is sorted by, and not by counting: objects that come or go
  /// before the page do not move it, and an index that has the order is read where the page begins. In one version, that of
  /// frozen results, each object is on exactly one page.
  ///
  /// ```swift
  /// var page = people.sorted(by: \.name).page(after: nil, count: 50)
  /// while let last = page.last {
  ///   page = people.sorted(by: \.name).page(after: last, count: 50)
  /// }
  /// ```
  /// - Parameters:
  ///   - object: the last object of the page before; nil for the first page. Its values are read now. After a deleted one
  ///     there is nothing.
  ///   - count: how many objects the page has at most.
  /// - Precondition: the collection is managed. It is a whole class, or what a condition leaves of one, in the order of its
  ///   class or sorted. In other collections, in distinct results and windows, and where the order is by mixed values or
  ///   compares strings other than by bytes, the place of the object is looked for and pages go by places.
  /// - Returns: the page, as results.
  /// - Complexity: O(sort keys); the page is found when it is read: O(log n + count) in the order of an index or of an integer
  ///   primary key, and the objects that a condition without an index leaves out, or whose first sorted value is that of the
  ///   last object, come to that; O(n) else.
  public func page(after object: Element?, count: Int) -> Results<Element> {
    let results = queried
    guard let object else { return results.limit(count) }
    return results.page(after: object.handle, count)
  }
}

extension Results {
  fileprivate func page(after handle: borrowing RowHandle, _ count: Int) -> Results {
    guard let condition = self.handle.condition(after: handle) else {
      guard let place = self.handle.place(after: handle) else { return narrowed(by: .never) }
      return limited(by: ElementQuery.LimitClause(offset: place, limit: count))
    }
    return narrowed(by: condition).limit(count)
  }
}
