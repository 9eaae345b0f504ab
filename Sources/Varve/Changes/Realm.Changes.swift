import VarveCore

extension Realm {
  /// Returns the difference between the version of another realm and the version that this realm
  /// reads now.
  ///
  /// ```swift
  /// let before = realm.freeze()
  /// try await realm.write { … }
  /// let changes = try realm.changes(since: before)
  /// for dog in try changes.objects(Dog.self).insertions { print(dog.name) }
  /// ```
  ///
  /// Any two pinned versions can be compared, in either order, whatever was committed between them.
  /// The result is the exact difference.
  ///
  /// - Parameters:
  ///   - other: A realm of the same store: a frozen one, or a live one, which is compared at the
  ///     version that it reads now.
  ///   - file: The caller's file, recorded for storage reports. Don't pass this argument.
  ///   - line: The caller's line.
  /// - Returns: The changes. They pin both versions.
  /// - Throws: `Realm.Error` with `.invalidInput` when the other realm belongs to another store.
  /// - Complexity: O(1). The versions are compared when the changes are read.
  public func changes(
    since other: Realm, file: StaticString = #fileID, line: UInt = #line
  ) throws -> Changes {
    guard other.store === store else {
      throw Error(.invalidInput, "Versions of two stores cannot be compared.")
    }
    return Changes(
      from: other.freeze(file: file, line: line), to: freeze(file: file, line: line))
  }

  /// The difference between two versions of a store.
  ///
  /// Thread safety: any thread or task may use it.
  public struct Changes: Sendable {
    /// The old version, frozen.
    public let old: Realm
    /// The new version, frozen.
    public let new: Realm
    private let difference: VersionDifference

    init(from old: Realm, to new: Realm) {
      self.old = old
      self.new = new
      difference = VersionDifference(
        from: old.context.snapshot, to: new.context.snapshot, schema: new.store.schema)
    }

    /// The sorted names of the classes whose objects differ.
    ///
    /// - Throws: `Realm.Error` for a damaged file.
    /// - Complexity: O(changed objects).
    public var classNames: [String] {
      get throws {
        try Error.translating {
          try compared {
            try difference.writtenClassIDs().compactMap { id in
              try difference.objects(ofClass: id).isEmpty
                ? nil : difference.schema.schema(ofClass: id)?.name
            }.sorted()
          }
        }
      }
    }

    /// Returns the objects of a class that differ.
    ///
    /// - Returns: The changes. Insertions, deletions and modifications are each in the order of
    ///   `Realm.objects(_:)`.
    /// - Throws: `Realm.Error` for a damaged file.
    /// - Complexity: O(changed objects), independent of the number of objects in the class.
    public func objects<T: ObjectBase>(_ type: T.Type) throws -> ObjectChanges<T> {
      try Error.translating {
        let binding = new.store.binding(for: ClassInfo.of(type).description)
        guard let schema = binding.schema else { return ObjectChanges() }
        let found = try compared { try difference.objects(ofClass: schema.id) }
        func object(_ id: UInt64, _ realm: Realm) -> T { T.handle(id, binding, in: realm.context) }
        return ObjectChanges(
          insertions: found.inserted.map { object($0, new) },
          deletions: found.deleted.map { object($0, old) },
          modifications: found.modified.map { change in
            let (before, after) = (object(change.id, old), object(change.id, new))
            return ObjectModification(
              old: before, new: after,
              properties: after.propertyChanges(
                schema.names(ofProperties: change.propertyIDs).compactMap {
                  binding.model.property(storedAs: $0)?.alias
                }, since: before))
          })
      }
    }

    /// Returns the changes of an ordered collection.
    ///
    /// When the object that owns the collection was deleted, all elements are reported as deleted.
    ///
    /// - Parameters:
    ///   - collection: A live or frozen collection of the same store.
    ///   - keyPaths: The names of the properties whose changes count as modifications, for a
    ///     collection of objects. Nil means all properties, up to four links away.
    /// - Throws: `Realm.Error`: `.unmanaged`, `.invalidInput` for a collection of another store,
    ///   `.unknownProperty` or `.invalidInput` for a key path that the class does not have,
    ///   `.corrupted` for a damaged file.
    /// - Complexity: For results, the cost of the query in the old version plus O(changed objects).
    ///   For a list, O(changed elements), and O(n) when objects in it changed.
    public func changes(
      of collection: some RealmCollection, keyPaths: [String]? = nil
    ) throws -> CollectionChanges {
      let observation = try collection._$observation(keyPaths)
      return try Error.translating {
        try check(observation.context)
        return try changes(observation.tracker)
      }
    }

    /// Returns the changes of a map.
    ///
    /// When the object that owns the map was deleted, all keys are reported as deleted. See
    /// ``changes(of:keyPaths:)-(RealmCollection,_)``.
    ///
    /// - Complexity: O(changed entries), and O(n) when objects in the map changed.
    public func changes<K, V>(of map: Map<K, V>, keyPaths: [String]? = nil) throws -> MapChanges {
      try Error.translating {
        var tracker = MapTracker(
          CollectionIdentity(map.handle), new.store, try watching(map.handle, keyPaths))
        switch try compared({ try tracker.advance(difference) }) {
        case .none: return MapChanges(KeyChanges())
        case .change(let change), .end(let change): return MapChanges(change)
        }
      }
    }

    /// Runs a comparison, and throws if it met damage: an unreadable entry looks like a missing
    /// one.
    private func compared<R>(_ comparison: () throws -> R) throws -> R {
      let result = try comparison()
      try new.store.checkSound()
      return result
    }

    private func changes(_ tracker: CollectionTracker) throws -> CollectionChanges {
      var tracker = tracker
      _ = try tracker.start(at: difference.old)
      switch try compared({ try tracker.advance(difference) }) {
      case .none: return CollectionChanges(IndexChanges())
      case .change(let changes), .end(let changes): return CollectionChanges(changes)
      }
    }

    private func watching(
      _ handle: CollectionHandle, _ keyPaths: [String]?
    ) throws(Failure) -> WatchedPathNames {
      guard handle.isManaged, let context = handle.context else {
        throw Failure(.unmanaged, "Unmanaged collections have no versions.")
      }
      try check(context)
      return try handle.watched(keyPaths)
    }

    private func check(_ context: ReadContext) throws(Failure) {
      guard context.store === new.store else {
        throw Failure(.invalidInput, "The collection belongs to another store than the versions.")
      }
    }
  }
}
