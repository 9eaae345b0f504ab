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
  ///     read now, so the page after a deleted object, or one that is not managed, is empty. That
  ///     is logged, and inside a write marks the transaction as failed. An object that may be
  ///     deleted between two pages needs a ``PageCursor``; see ``cursor(of:)``.
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
    do throws(Failure) {
      return try results.page(after: object.handle, count)
    } catch {
      return results.nothing(because: error)
    }
  }

  /// Returns a cursor at an object: the place between the object and the next one.
  ///
  /// The cursor contains the values that the collection is sorted by and the object's id, and stays
  /// where it is when the object is changed or deleted. Take it from the version that the page was
  /// read from: from frozen results, or on the queue or actor of the realm.
  ///
  /// - Parameter object: An object of the collection, usually the last one of a page.
  /// - Precondition: The collection is managed.
  /// - Throws: `Realm.Error` with `.invalidatedObject` for a deleted object, `.unmanaged` or
  ///   `.foreignObject` for an object of no or another store or of another class, and
  ///   `.invalidInput` for a list or a map, whose elements have no order that outlives them: sort
  ///   the objects of the class instead.
  /// - Complexity: O(sort keys).
  public func cursor(of object: Element) throws -> PageCursor {
    let results = queried
    return try Realm.Error.translating { () throws(Failure) in
      PageCursor(try results.handle.position(of: object.handle))
    }
  }

  /// Returns the next page: the objects that follow a cursor in the order of the collection.
  ///
  /// The page is located as that after an object is, see ``page(after:count:)-(Self.Element?,_)``,
  /// whether the object of the cursor still exists or not. If no object changes its sort values
  /// between the pages, each object that exists throughout is on exactly one of them, whatever is
  /// inserted and deleted meanwhile.
  ///
  /// ```swift
  /// let sorted = people.sorted(by: \.name)
  /// let page = try sorted.page(after: cursor, count: 50)
  /// let next = try page.last.map { try sorted.cursor(of: $0) }
  /// ```
  /// - Parameters:
  ///   - cursor: A cursor of a collection of the same class with the same order, or nil for the
  ///     first page. The conditions of the two may differ.
  ///   - count: The maximum number of objects of the page.
  /// - Precondition: The collection is managed.
  /// - Throws: `Realm.Error` with `.invalidCursor` for a cursor of another class or order, and
  ///   `.invalidInput` for a list or a map.
  /// - Complexity: That of the page after an object. With duplicates removed, with a limit, in a
  ///   set or linking objects, and for an order by mixed values or with a collation other than by
  ///   bytes, the collection is read now, and the page is located by its index.
  @_disfavoredOverload
  public func page(after cursor: PageCursor?, count: Int) throws -> Results<Element> {
    let results = queried
    guard let cursor else { return results.limit(count) }
    return try Realm.Error.translating { () throws(Failure) in
      try results.page(after: cursor.position, count)
    }
  }
}

extension Results {
  fileprivate func page(
    after handle: borrowing RowHandle, _ count: Int
  ) throws(Failure) -> Results {
    if let offset = try self.handle.offset(after: handle) {
      return offset.map { page(at: $0, count) } ?? narrowed(by: .never)
    }
    return try page(after: try self.handle.position(of: handle), count)
  }

  fileprivate func page(
    after position: ResultsPosition, _ count: Int
  ) throws(Failure) -> Results {
    if let condition = try handle.condition(after: position) {
      return narrowed(by: condition).limit(count)
    }
    return page(at: try handle.offset(after: position), count)
  }

  private func page(at offset: Int, _ count: Int) -> Results {
    limited(by: ElementQuery.LimitClause(offset: offset, limit: count))
  }
}
