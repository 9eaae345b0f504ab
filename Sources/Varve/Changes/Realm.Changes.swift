import VarveCore

extension Realm {
  /// What leads from the version of another realm to the one that this realm reads now.
  ///
  /// ```swift
  /// let before = realm.freeze()
  /// try await realm.write { … }
  /// let changes = try realm.changes(since: before)
  /// for dog in try changes.objects(Dog.self).insertions { print(dog.name) }
  /// ```
  ///
  /// Any two versions can be compared that somebody holds, whatever was committed between them, and in either order:
  /// the result is what differs, exactly.
  ///
  /// - Parameters:
  ///   - other: a realm of the same store: a frozen one, or a live one at the version that it reads now.
  ///   - file: where pins are told of, they are named by it; leave it out.
  ///   - line: the line in the file.
  /// - Returns: the changes, which pin both versions.
  /// - Throws: `Realm.Error` with `.invalidInput` when the other realm is of another store.
  /// - Complexity: O(1); what is asked for is compared when it is asked for.
  public func changes(
    since other: Realm, file: StaticString = #fileID, line: UInt = #line
  ) throws -> Changes {
    guard other.store === store else {
      throw Error(.invalidInput, "Versions of two stores cannot be compared.")
    }
    return Changes(
      from: other.freeze(file: file, line: line), to: freeze(file: file, line: line))
  }

  /// What leads from one version of a store to another.
  ///
  /// Thread safety: any thread or task may use it.
  public struct Changes: Sendable {
    /// The version that the changes begin at, frozen.
    public let old: Realm
    /// The version that the changes lead to, frozen.
    public let new: Realm
    private let difference: VersionDifference

    init(from old: Realm, to new: Realm) {
      self.old = old
      self.new = new
      difference = VersionDifference(
        from: old.context.snapshot, to: new.context.snapshot, schema: new.store.schema)
    }

    /// The names of the classes of which objects differ, sorted.
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

    /// The objects of a class that differ.
    ///
    /// - Parameter type: the class.
    /// - Returns: the objects, each kind in the order of ``Realm/objects(_:)-(T.Type)``.
    /// - Throws: `Realm.Error` for a damaged file.
    /// - Complexity: O(changed objects); it does not depend on how many there are.
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
                schema.names(ofProperties: change.propertyIDs), since: before))
          })
      }
    }

    /// How an ordered collection differs. All elements are deleted when the object is that it belongs to.
    ///
    /// - Parameters:
    ///   - collection: a live or frozen collection of the store.
    ///   - keyPaths: for objects, the properties that count for modifications, by names; nil for all, up to four links
    ///     away.
    /// - Returns: the changes.
    /// - Throws: `Realm.Error`: `.unmanaged`, `.invalidInput` for a collection of another store, `.unknownProperty` or
    ///   `.invalidInput` for a key path that the class does not have, `.corrupted` for a damaged file.
    /// - Complexity: of results, that of the query in the old version, and O(changed objects); of a list, O(changed
    ///   elements), and O(n) when objects in it have changed.
    public func changes(
      of collection: some RealmCollection, keyPaths: [String]? = nil
    ) throws -> CollectionChanges {
      let observation = try collection._$observation(keyPaths)
      return try Error.translating {
        try check(observation.context)
        return try changes(observation.tracker)
      }
    }

    /// How a map differs; see ``changes(of:keyPaths:)-(RealmCollection,_)``. All keys are deleted when its object is.
    ///
    /// - Complexity: O(changed entries), and O(n) when objects in it have changed.
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

    /// What a comparison gives, unless it met damage: what cannot be read looks as if it were not there.
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
        throw Failure(.invalidInput, "The collection is of another store than the versions.")
      }
    }
  }
}
