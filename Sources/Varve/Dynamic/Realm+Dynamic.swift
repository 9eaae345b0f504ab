import VarveCore
import VarveEncoding

/// Access to classes that the program does not declare. To open a file of any schema version, set
/// ``Configuration/isDynamic``.
extension Realm {
  /// All objects of a class that is named when the program runs.
  ///
  /// The results can be sorted by names of properties, filtered by closures, and observed. Objects of a class whose
  /// types a migration changes afterwards are not among them any more: ask again. So do after a class of the program was
  /// stored for the first time: results from before give its links as objects of the program's classes.
  ///
  /// - Parameter className: the name under which the file stores the class.
  /// - Returns: the results, which follow the realm.
  /// - Throws: `Realm.Error` with `.unknownClass` when the file does not have the class.
  /// - Complexity: O(1); nothing is read yet.
  public func dynamicObjects(_ className: String) throws -> Results<DynamicObject> {
    try Error.translating {
      let info = try dynamicClass(named: className)
      return Results(ElementQuery(.object(info.description)), in: context.forked())
    }
  }

  /// The object of a class under a primary key.
  ///
  /// - Parameters:
  ///   - className: the name under which the file stores the class.
  ///   - key: the key, of the property's type.
  /// - Returns: the object, in this realm; nil when there is none.
  /// - Throws: `Realm.Error`: `.unknownClass`, `.noPrimaryKey`, `.typeMismatch` for a key of another type.
  /// - Complexity: one lookup for an integer key, two for others.
  public func dynamicObject(
    ofType className: String, forPrimaryKey key: Any?
  ) throws -> DynamicObject? {
    try Error.translating {
      let info = try dynamicClass(named: className)
      guard let slot = info.description.primaryKeySlot else {
        throw Failure(.noPrimaryKey, "The class has no primary key.", className: className)
      }
      let kind = info.properties[slot].type.kind
      let value = key.map { Value.converting($0, to: kind.type) } ?? .null
      guard let value, kind.accepts(value) else {
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

  /// Makes an object of a class that the file has, and stores it.
  ///
  /// What the value lacks reads as in objects that were stored before the property was added: the default that was
  /// declared then where it was a literal, else null or zero.
  ///
  /// - Parameters:
  ///   - className: the name under which the file stores the class; one that it does not have dooms the write with
  ///     `.unknownClass`, one of embedded objects with `.invalidInput`.
  ///   - value: as for ``create(_:value:update:)->T``; any ``DynamicObject`` will do, of which the properties with the same
  ///     names are taken.
  ///   - update: what to do when an object with the primary key exists.
  /// - Returns: the managed object; an unmanaged one when the write has failed.
  /// - Precondition: the thread is inside a write.
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
  /// The class that the file stores under a name, or one of the program that it does not store yet. A running write has
  /// the file know that first.
  ///
  /// - Throws: `.unknownClass`; of a write also what registering throws.
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

extension ReadContext {
  /// The class that a file stores under a name.
  ///
  /// - Throws: `.unknownClass`.
  func dynamicClass(named name: String) throws(Failure) -> ClassInfo {
    let file = fileSchema
    guard let schema = file.schema(named: name) else { throw .unknownClass(name) }
    return ClassInfo.dynamic(schema, in: file)
  }
}
