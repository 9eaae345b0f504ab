extension Realm {
  /// Stores new objects from their values, without creating Swift objects.
  ///
  /// ```swift
  /// realm.insert(people.lazy.map { Person.New(id: $0.id, name: $0.name) })
  /// ```
  ///
  /// The result is that of ``add(_:update:)-(S,_)`` for objects with these values, except that
  /// links refer to managed objects: an unmanaged one fails with `.invalidInput`, also as the
  /// default of a property. Embedded objects are given unmanaged, as to `add`. A class with
  /// embedded objects or collections of mixed values, and a row that updates an object, take as
  /// long as `add`.
  ///
  /// With an update policy, every property of an existing object is set: those for which a
  /// structure `New` is given no value get nil, nothing or their defaults. To change only some, see
  /// ``create(_:value:update:)->T`` and ``upsert(_:)-(ObjectPatch<T>)``.
  ///
  /// A failure marks the transaction as failed; see ``add(_:update:)-(Object,_)``. The details of
  /// the error contain the index of the values in the sequence, and the remaining elements of the
  /// sequence are not read.
  ///
  /// - Parameters:
  ///   - values: The values. The sequence may read and write the realm.
  ///   - update: The policy for an object whose primary key already exists.
  /// - Returns: The number of objects stored or updated.
  /// - Complexity: O(n) with the primary keys in ascending order, otherwise O(n log m), where m is
  ///   the number of objects of the class, and the same for each index. No memory is kept for an
  ///   object.
  /// - Precondition: The thread is inside a write.
  @inlinable
  @discardableResult
  public func insert<S: Sequence>(
    _ values: S, update: UpdatePolicy = .error
  ) -> Int where S.Element: ModelValues {
    insert(values, update: update) { $0 }
  }

  /// Stores new objects from values that a closure makes of the elements of a sequence. See
  /// ``insert(_:update:)``.
  ///
  /// ```swift
  /// try realm.insert(lines) { line in try Person.New(id: line.id(), name: line.name()) }
  /// ```
  ///
  /// - Parameters:
  ///   - elements: The elements.
  ///   - update: The policy for an object whose primary key already exists.
  ///   - makeValues: A closure that returns the values of an object. It may read and write the
  ///     realm.
  /// - Returns: The number of objects stored or updated.
  /// - Throws: The error that the closure throws. What was stored before stays in the transaction,
  ///   which is rolled back if the write throws the error, too.
  /// - Precondition: The thread is inside a write.
  @inlinable
  @discardableResult
  public func insert<S: Sequence, Values: ModelValues, Thrown: Swift.Error>(
    _ elements: S, update: UpdatePolicy = .error,
    _ makeValues: (S.Element) throws(Thrown) -> Values
  ) throws(Thrown) -> Int {
    var row = _NewRow(self, Values._$Model.self, valueCount: Values._$count, update)
    for element in elements {
      let values = try makeValues(element)
      values._$store(in: &row)
      guard row._$insert() else { break }
    }
    return row._$storedCount
  }
}
