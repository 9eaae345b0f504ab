import VarveCore
import VarveEncoding

/// Access to classes that the program does not declare. To open a file of any schema version, set
/// ``Configuration/isDynamic``.
extension Realm {
  /// Returns all objects of a class that is named at run time.
  ///
  /// The results can be sorted by property names, filtered by closures, and observed. After a
  /// migration that changes the types of the class, they no longer contain its objects: call the
  /// method again. Also call it again after a class of the program was stored for the first time:
  /// earlier results return its links as objects of the program's classes.
  ///
  /// - Parameter className: The name under which the file stores the class.
  /// - Returns: Results that follow the realm.
  /// - Throws: `Realm.Error` with `.unknownClass` when the file does not contain the class.
  /// - Complexity: O(1); nothing is read yet.
  public func dynamicObjects(_ className: String) throws -> Results<DynamicObject> {
    try Error.translating {
      let info = try dynamicClass(named: className)
      return Results(ElementQuery(.object(info.description)), in: context.forked())
    }
  }

  /// Returns the object of a class with a primary key, or nil if there is none.
  ///
  /// - Parameters:
  ///   - className: The name under which the file stores the class.
  ///   - key: The primary key, of the property's type.
  /// - Returns: The object, in this realm.
  /// - Throws: `Realm.Error`: `.unknownClass`, `.noPrimaryKey`, `.typeMismatch` for a key of
  ///   another type.
  /// - Complexity: One look-up for an integer key, two for other keys.
  public func dynamicObject(
    ofType className: String, forPrimaryKey key: Any?
  ) throws -> DynamicObject? {
    try Error.translating {
      let info = try dynamicClass(named: className)
      guard let slot = info.description.primaryKeySlot else {
        throw Failure(.noPrimaryKey, "The class has no primary key.", className: className)
      }
      guard let value = info.primaryKeyValue(key) else {
        throw Failure(
          .typeMismatch, "The value is of another type than the primary key.",
          className: className, propertyName: info.properties[slot].name,
          value: "\(key ?? "nil")")
      }
      guard let found = context.findObject(.passUnretained(info.description), primaryKey: value)
      else { return nil }
      let object = DynamicObject()
      found.attach(object.handle)
      return object
    }
  }

  /// Creates an object of a class in the file, and stores it.
  ///
  /// A property that the value lacks reads as in objects that were stored before the property was
  /// added: as the default at that time if it was a literal, otherwise as null or zero.
  ///
  /// - Parameters:
  ///   - className: The name under which the file stores the class. An unknown class marks the
  ///     transaction as failed with `.unknownClass`, an embedded class with `.invalidInput`.
  ///   - value: A value that ``create(_:value:update:)->T`` accepts, or any ``DynamicObject``,
  ///     whose properties with the same names are copied.
  ///   - update: The policy for an object whose primary key already exists.
  /// - Returns: The managed object; an unmanaged one when the write has failed.
  /// - Precondition: The thread is inside a write.
  @discardableResult
  public func dynamicCreate(
    _ className: String, value: Any = [String: Any](), update: UpdatePolicy = .error
  ) -> DynamicObject {
    do throws(Failure) {
      let info = try dynamicClass(named: className)
      let object = DynamicObject(info)
      ValueReader.fill(object, from: value, for: store)
      object.markPartial()
      add(object, update: update)
      return object
    } catch {
      writingTransaction()?.markFailed(error)
      return DynamicObject()
    }
  }
}

extension Realm {
  /// Returns the class that the file stores under a name, or a class of the program that it does
  /// not store yet. A running write registers that class in the file first.
  ///
  /// - Throws: `.unknownClass`; in a write also the errors of registering.
  fileprivate func dynamicClass(named name: String) throws(Failure) -> ClassInfo {
    guard context.fileSchema.schema(named: name) == nil, hasCompiledClasses,
      let type = CompiledClasses.byName[name]
    else { return try context.dynamicClass(named: name) }
    let info = ClassInfo.of(type)
    guard let transaction = context.transaction else { return info }
    try store.register([info.description], view: context.view)
    withExtendedLifetime(transaction) {}
    return try context.dynamicClass(named: name)
  }
}

extension ClassInfo {
  /// Converts a value of any type to a primary key of the class; nil for a class without one, and
  /// for a value of another type. Nil and `NSNull` are the null key.
  func primaryKeyValue(_ key: Any?) -> Value? {
    guard let slot = description.primaryKeySlot else { return nil }
    let kind = properties[slot].type.kind
    let key = key.map { Value.unwrapped($0) }
    let isNull = key.map { Value.isNull($0) } ?? true
    guard let value = isNull ? .null : key.flatMap({ Value.converting($0, to: kind.type) }),
      kind.accepts(value)
    else { return nil }
    return value
  }
}

extension ReadContext {
  /// Returns the class that a file stores under a name.
  ///
  /// - Throws: `.unknownClass`.
  func dynamicClass(named name: String) throws(Failure) -> ClassInfo {
    let file = fileSchema
    guard let schema = file.schema(named: name) else { throw .unknownClass(name) }
    return ClassInfo.dynamic(schema, in: file)
  }
}
