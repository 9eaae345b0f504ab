import VarveCore
import VarveEncoding

extension Realm {
  /// Stores an unmanaged object with everything that it links to; it is managed from then on.
  ///
  /// An object whose primary key is `autoIncrement` and 0 gets the next key; see <doc:PrimaryKeys>.
  ///
  /// An object that this store manages already stays as it is. In a write that has failed the object
  /// stays unmanaged. A frozen realm dooms the write with `.frozen`. Of several new objects with one primary key that
  /// are stored together, the second is refused too, or updates what the first has stored, as `update` says.
  ///
  /// - Parameters:
  ///   - object: the object.
  ///   - update: what to do when an object with its primary key exists.
  /// - Precondition: the thread is inside a write.
  public func add(_ object: Object, update: UpdatePolicy = .error) {
    // Without counting references, unless the first view is void.
    if let transaction = first.transactionReference {
      return transaction._withUnsafeGuaranteedRef { $0.add(object, first, update) }
    }
    writingTransaction()?.add(object, context, update)
  }

  /// Stores several objects; see ``add(_:update:)``.
  ///
  /// - Parameters:
  ///   - objects: the objects.
  ///   - update: what to do when an object with a primary key exists.
  /// - Precondition: the thread is inside a write.
  public func add<S: Sequence>(
    _ objects: S, update: UpdatePolicy = .error
  ) where S.Element: Object {
    for object in objects { add(object, update: update) }
  }

  /// Makes an object from a value and stores it.
  ///
  /// Managed objects of this store that the value names are linked to. All others are copied, with what they link to: those
  /// of another store, those that none manages, and embedded objects that have a place. So is the value itself.
  ///
  /// With an update policy other than `.error`, properties that the value lacks are left alone in an
  /// object that exists, collections that it gives are replaced, and a live object of this store is given
  /// back as it is. `.modified` sets and reports only what differs, in nested objects too, and writes nothing
  /// where nothing does; `.all` reports every property that is given. A value without an `autoIncrement` primary key, or with
  /// 0 or null there, always makes a new object. In a write that has failed the object
  /// stays unmanaged.
  ///
  /// - Parameters:
  ///   - type: the class.
  ///   - value: a dictionary, an array in the order of the properties, JSON, or another object of the
  ///     class or of one derived from it. Keys of dictionaries that the class does not have are ignored. What does not fit
  ///     dooms the write: `.typeMismatch`, `.missingValue` for null where a value is needed, `.invalidInput` for an array with
  ///     too many values, `.duplicatePrimaryKey`, `.noPrimaryKey` for an update of a class without one.
  ///   - update: what to do when an object with the primary key exists.
  /// - Returns: the managed object.
  /// - Precondition: the thread is inside a write.
  @discardableResult
  public func create<T: Object>(
    _ type: T.Type, value: Any = [String: Any](), update: UpdatePolicy = .error
  ) -> T {
    let isWriting = writingTransaction() != nil
    if isWriting, update != .error, let object: T = live(value) { return object }
    let object = type.init()
    ValueReader.fill(object, from: value, for: store)
    object.markPartial()
    if isWriting { add(object, update: update) }
    return object
  }

  /// A value that is a live object of this store.
  private func live<T: Object>(_ value: Any) -> T? {
    guard let object = Value.instance(Value.unwrapped(value)) as? T, type(of: object) == T.self,
      let context = object.handle.context, context.store === store, !context.isFrozen,
      !object.isInvalidated
    else { return nil }
    return object
  }

  /// Deletes an object, with the embedded objects that belong to it. Links to it become null, lists lose
  /// it, maps keep its keys with null.
  ///
  /// - Parameter object: a managed object; a deleted or foreign one dooms the write.
  /// - Precondition: the thread is inside a write.
  public func delete(_ object: ObjectBase) { delete(CollectionOfOne(object)) }

  /// Deletes several objects, passing over each collection that holds them once.
  ///
  /// - Parameter objects: managed objects.
  /// - Precondition: the thread is inside a write.
  public func delete<S: Sequence>(_ objects: S) where S.Element: ObjectBase {
    guard let transaction = writingTransaction() else { return }
    let objects = Array(objects)
    transaction.attempt(inMemory: true) { () throws(Failure) in
      var keys: [RowKey] = []
      for object in objects { keys.append(try key(of: object, transaction)) }
      try transaction.delete(keys)
    }
  }

  /// Deletes the objects of a map, which keeps its keys with null.
  ///
  /// - Parameter map: a managed map.
  /// - Precondition: the thread is inside a write.
  public func delete<Key: _MapKey, O: ObjectBase>(_ map: Map<Key, O?>) {
    delete(map.values.compactMap(\.self))
  }

  /// Deletes every object of every class.
  ///
  /// - Precondition: the thread is inside a write.
  public func deleteAll() {
    guard let transaction = writingTransaction() else { return }
    transaction.attempt(inMemory: true) { () throws(Failure) in try transaction.deleteAll() }
  }

  private func key(of object: ObjectBase, _ transaction: Transaction) throws(Failure) -> RowKey {
    guard let other = object.handle.context else {
      throw Failure(
        .unmanaged, "An unmanaged object cannot be deleted.", className: object.info.name)
    }
    guard other.store === store else {
      throw Failure(
        .foreignObject, "The object belongs to another store.", className: object.info.name)
    }
    guard !other.isFrozen else {
      throw Failure(.frozen, "A frozen object cannot be deleted.", className: object.info.name)
    }
    guard !object.isInvalidated,
      let schema = try transaction.binding(for: object.info.description).schema
    else { throw .invalidatedObject(object.info.name) }
    return RowKey(classID: schema.id, objectID: object.handle.id)
  }

  /// All objects of a class; a class that the file does not know is empty.
  ///
  /// A class that the file stores with other types than the model declares is empty as well: outside of
  /// a write this is logged, once for a class, inside one it dooms the write with `.schemaMismatch`. To
  /// have it thrown, give the class in ``Configuration/objectTypes`` or call `register(_:)`.
  ///
  /// - Parameter type: the class.
  /// - Complexity: O(1); nothing is read yet.
  /// - Returns: the results, which follow the realm.
  public func objects<T: Object>(_ type: T.Type) -> Results<T> {
    let model = ClassInfo.of(type).description
    let results = Results<T>(ElementQuery(.object(model)), in: context.forked())
    guard model.isDynamic else { return results }
    let failure = Failure(
      .unknownClass, "The type of dynamic objects names no class: ask for dynamicObjects.",
      className: model.name)
    return results.refused(failure) ?? results
  }

  /// The object under a primary key; nil when there is none, and for a class that is stored with other
  /// types than the model declares, see ``objects(_:)-(T.Type)``.
  ///
  /// - Parameters:
  ///   - type: the class; one without a primary key gives nil.
  ///   - key: the key, of the property's type.
  /// - Complexity: one lookup for an integer key, two for others.
  /// - Returns: the object, in this realm.
  public func object<T: Object, Key: RealmCollectionValue>(
    ofType type: T.Type, forPrimaryKey key: Key
  ) -> T? {
    guard case .value(let value) = key._$boxed.content else { return nil }
    guard let found = first.findCurrentObject(ClassInfo.description(of: type), primaryKey: value)
    else { return nil }
    let object = type.init()
    found.attach(object.handle)
    return object
  }

  /// Whether the store has no object at all.
  public var isEmpty: Bool {
    context.hasNoObjects
  }

  /// Makes the file know classes before they are used; additive changes are applied.
  ///
  /// That is a write on the calling thread, for synchronous code. Asynchronous code gets the asynchronous form:
  /// `try await realm.register(Person.self)`.
  ///
  /// - Parameter types: the classes; those that they link to come along.
  /// - Throws: `Realm.Error` with the code `.schemaMismatch` and every difference that needs a
  ///   migration, `.invalidSchema` with every fault of a declaration, or as a synchronous `write`.
  @available(
    *, noasync, message: "it blocks its thread; use 'try await' (in main.swift inside a function)"
  )
  public func register(_ types: ObjectBase.Type...) throws {
    guard !isFrozen else { throw Error(.frozen, "A frozen realm cannot be written to.") }
    try Error.translating {
      try store.register(types.map { ClassInfo.of($0).description }, view: context.view)
    }
  }

  /// Makes the file know classes before they are used, by an asynchronous write; additive changes are applied.
  ///
  /// - Parameter types: the classes; those that they link to come along.
  /// - Throws: `Realm.Error` with the code `.schemaMismatch` and every difference that needs a
  ///   migration, `.invalidSchema` with every fault of a declaration, or as ``write(grouping:withoutNotifying:_:)``.
  public func register(_ types: ObjectBase.Type...) async throws {
    let classes = types.map { ClassInfo.of($0).description }
    try await write(grouping: false) { [store, context] in
      try Error.translating { try store.register(classes, view: context.view) }
    }
  }
}

extension Transaction {
  /// Adds an object in an operation of its own.
  fileprivate func add(
    _ object: Object, _ context: ReadContext, _ policy: Realm.UpdatePolicy
  ) {
    guard !hasFailure else { return }
    attempt { () throws(Failure) in
      // Only a class that the file describes, and no type of the program, can be embedded here.
      guard ClassInfo.known(object) != nil || !object.info.description.isEmbedded else {
        throw Failure(
          .invalidInput,
          "An embedded object is made by putting a value in a property of its parent.",
          className: object.info.name)
      }
      _ = try ObjectAdder.link(to: object, self, context, policy: policy)
    }
  }
}
