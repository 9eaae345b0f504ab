import VarveCore
import VarveEncoding

extension Realm {
  /// Stores an unmanaged object and all objects that it links to, which become managed.
  ///
  /// An object whose primary key is `autoIncrement` and 0 gets the next key; see <doc:PrimaryKeys>.
  ///
  /// An object that this store already manages is not changed. Of several new objects with the same
  /// primary key that are stored together, the second is rejected or updates the first, as `update`
  /// specifies.
  ///
  /// A failure marks the transaction as failed, and the object stays unmanaged:
  /// `.duplicatePrimaryKey`, `.duplicateValue` for a unique index, `.noPrimaryKey` for an update of
  /// a class without a primary key, `.foreignObject` for an object of another store,
  /// `.invalidatedObject`, the errors of its values, or `.frozen` for a frozen realm. In a write
  /// that has failed already, nothing is stored.
  ///
  /// - Parameters:
  ///   - object: The object to store.
  ///   - update: The policy for an object whose primary key already exists.
  /// - Precondition: The thread is inside a write.
  public func add(_ object: Object, update: UpdatePolicy = .error) {
    // This path counts no references. It does not apply once the first view was invalidated.
    if let transaction = first.transactionReference {
      return transaction._withUnsafeGuaranteedRef { $0.add(object, first, update) }
    }
    writingTransaction()?.add(object, context, update)
  }

  /// Stores several objects; see ``add(_:update:)``.
  ///
  /// - Parameters:
  ///   - objects: The objects to store.
  ///   - update: The policy for an object whose primary key already exists.
  /// - Precondition: The thread is inside a write.
  public func add<S: Sequence>(
    _ objects: S, update: UpdatePolicy = .error
  ) where S.Element: Object {
    for object in objects { add(object, update: update) }
  }

  /// Creates an object from a value and stores it.
  ///
  /// Managed objects of this store in the value are linked to. All other objects are copied, with
  /// the objects that they link to: objects of another store, unmanaged objects, and embedded
  /// objects that already have a parent. The value itself is copied too.
  ///
  /// With an update policy other than `.error`, the properties of an existing object that the value
  /// lacks are not changed, collections that the value contains replace the stored ones, and a live
  /// object of this store is returned unchanged. `.modified` sets and reports only the properties
  /// that differ, in nested objects too, and writes nothing when none differ. `.all` reports every
  /// property that the value contains. A value without an `autoIncrement` primary key, or with 0 or
  /// null for it, always creates a new object. In a write that has failed, the object stays
  /// unmanaged.
  ///
  /// - Parameters:
  ///   - type: The class of the object.
  ///   - value: A dictionary, an array in the order of the properties, JSON, or another object of
  ///     the class or of a subclass. Dictionary keys that the class does not have are ignored. A
  ///     value that does not fit marks the transaction as failed: with `.typeMismatch`,
  ///     `.missingValue` for null where a value is required, `.invalidInput` for an array with too
  ///     many values, `.duplicatePrimaryKey`, or `.noPrimaryKey` for an update of a class without a
  ///     primary key.
  ///   - update: The policy for an object whose primary key already exists.
  /// - Returns: The managed object.
  /// - Precondition: The thread is inside a write.
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

  /// Returns the value if it is a live object of this store.
  private func live<T: Object>(_ value: Any) -> T? {
    guard let object = Value.instance(Value.unwrapped(value)) as? T, type(of: object) == T.self,
      let context = object.handle.context, context.store === store, !context.isFrozen,
      !object.isInvalidated
    else { return nil }
    return object
  }

  /// Deletes an object and the embedded objects that belong to it.
  ///
  /// Links to the object become null, lists and sets remove it, and maps keep its keys with null.
  ///
  /// - Parameter object: A live object. Any other object marks the transaction as failed:
  ///   `.unmanaged`, `.frozen`, `.invalidatedObject`, or `.foreignObject` for an object of another
  ///   store.
  /// - Precondition: The thread is inside a write.
  public func delete(_ object: ObjectBase) { delete(CollectionOfOne(object)) }

  /// Deletes several objects. Each collection that contains any of them is traversed once.
  ///
  /// - Parameter objects: Live objects; see ``delete(_:)-(ObjectBase)``. If one of them cannot be
  ///   deleted, none is.
  /// - Precondition: The thread is inside a write.
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
  /// - Parameter map: A managed map.
  /// - Precondition: The thread is inside a write.
  public func delete<Key: _MapKey, O: ObjectBase>(_ map: Map<Key, O?>) {
    delete(map.values.compactMap(\.self))
  }

  /// Deletes all objects of all classes.
  ///
  /// - Precondition: The thread is inside a write.
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

  /// Returns all objects of a class. The results are empty for a class that the file does not
  /// contain.
  ///
  /// They are also empty for a class that the file stores with other types than the model declares.
  /// Outside of a write this is logged, once for each class; inside a write it marks the
  /// transaction as failed with `.schemaMismatch`. To get an error instead, list the class in
  /// ``Configuration/objectTypes`` or call `register(_:)`.
  ///
  /// - Returns: Results that follow the realm.
  /// - Complexity: O(1); nothing is read yet.
  public func objects<T: Object>(_ type: T.Type) -> Results<T> {
    let model = ClassInfo.of(type).description
    let results = Results<T>(ElementQuery(.object(model)), in: context.forked())
    guard model.isDynamic else { return results }
    let failure = Failure(
      .unknownClass, "DynamicObject is not a stored class: call dynamicObjects(_:).",
      className: model.name)
    return results.refused(failure) ?? results
  }

  /// Returns the object with a primary key, or nil if there is none.
  ///
  /// The method also returns nil for a class that the file stores with other types than the model
  /// declares; see `objects(_:)`.
  ///
  /// - Parameters:
  ///   - type: The class of the object. The method returns nil for a class without a primary key.
  ///   - key: The primary key. Pass a value of the property's type: the compiler does not know the
  ///     property, and a key of another type finds no object, as `3` does for a `String`.
  /// - Returns: The object, in this realm.
  /// - Complexity: One look-up for an integer key, two for other keys.
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

  /// Returns the object with a primary key whose type is known only at run time, or nil if there is
  /// none.
  ///
  /// - Parameters:
  ///   - type: The class of the object. The method returns nil for a class without a primary key.
  ///   - key: The primary key. Nil and `NSNull` stand for the null key of an optional property. The
  ///     method returns nil for a key of another type.
  /// - Returns: The object, in this realm.
  /// - Complexity: One look-up for an integer key, two for other keys.
  @_disfavoredOverload
  public func object<T: Object>(ofType type: T.Type, forPrimaryKey key: Any?) -> T? {
    let info = ClassInfo.of(type)
    guard let value = info.primaryKeyValue(key),
      let found = first.findCurrentObject(.passUnretained(info.description), primaryKey: value)
    else { return nil }
    let object = type.init()
    found.attach(object.handle)
    return object
  }

  /// Whether the store contains no objects.
  public var isEmpty: Bool {
    context.hasNoObjects
  }

  /// Registers classes in the file before they are used, and applies additive changes.
  ///
  /// The method runs a write on the calling thread. Use it from synchronous code. In asynchronous
  /// code, use `try await realm.register(Person.self)`.
  ///
  /// - Parameter types: The classes. Classes that they link to are registered too.
  /// - Throws: `Realm.Error`: `.schemaMismatch` with every difference that needs a migration,
  ///   `.invalidSchema` with every fault of a declaration, or the errors of a synchronous `write`.
  @available(
    *, noasync, message: "it blocks its thread; use 'try await' (in main.swift inside a function)"
  )
  public func register(_ types: ObjectBase.Type...) throws {
    guard !isFrozen else { throw Error(.frozen, "A frozen realm cannot be written to.") }
    try Error.translating {
      try store.register(types.map { ClassInfo.of($0).description }, view: context.view)
    }
  }

  /// Registers classes in the file before they are used, in an asynchronous write, and applies
  /// additive changes.
  ///
  /// - Parameter types: The classes. Classes that they link to are registered too.
  /// - Throws: `Realm.Error`: `.schemaMismatch` with every difference that needs a migration,
  ///   `.invalidSchema` with every fault of a declaration, or the errors of
  ///   ``write(grouping:withoutNotifying:_:)``.
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
      // Only a dynamic class can be embedded here: `EmbeddedObject` is not an `Object`.
      guard ClassInfo.registered(object) != nil || !object.info.description.isEmbedded else {
        throw Failure(
          .invalidInput,
          "An embedded object is created by setting a property of its parent.",
          className: object.info.name)
      }
      _ = try ObjectAdder.link(to: object, self, context, policy: policy)
    }
  }
}
