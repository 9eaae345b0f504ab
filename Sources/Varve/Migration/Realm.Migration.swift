package import VarveCore
import VarveEncoding

/// A closure that migrates a file to the classes that the program declares; see
/// ``Realm/Configuration/migrationBlock``.
///
/// - Parameters:
///   - migration: Access to the file's old and new contents.
///   - oldSchemaVersion: The schema version of the file before the migration.
public typealias MigrationBlock =
  @Sendable (_ migration: Realm.Migration, _ oldSchemaVersion: UInt64) throws -> Void

/// An object in a migration, whose properties are accessed by name.
public typealias MigrationObject = DynamicObject

/// A closure that ``Realm/Migration/enumerateObjects(ofType:_:)`` calls with the old and the new
/// state of each object.
public typealias MigrationObjectEnumerateBlock = (
  _ oldObject: MigrationObject?, _ newObject: MigrationObject?
) throws -> Void

extension Realm {
  /// A migration of a file from one schema to another.
  ///
  /// ```swift
  /// configuration.migrationBlock = { migration, oldVersion in
  ///   migration.enumerateObjects(ofType: "Person") { old, new in
  ///     new?["fullName"] = "\(old?["firstName"] ?? "") \(old?["lastName"] ?? "")"
  ///   }
  /// }
  /// ```
  ///
  /// Properties that the program declares and the file lacks are added. Properties that the program
  /// no longer declares are removed when the block has ended. A property whose type has changed is
  /// removed and added: its objects read the default or the value that the block sets, and `old`
  /// has the previous value. If only the optionality has changed, values are kept, and null becomes
  /// the default. Links to another class are initially empty.
  ///
  /// The whole migration is one write transaction. An operation that fails, such as renaming a
  /// property that does not exist, is skipped. When the block returns, the transaction is then
  /// rolled back and opening the file throws the first error. The transaction is also rolled back
  /// when the block throws.
  ///
  /// A class whose primary key changes has no primary key inside the block. If two objects have the
  /// same key at the end of the migration, opening the file throws `.duplicatePrimaryKey` with
  /// class, property and value.
  ///
  /// Thread safety: none. Only the block may use a migration, on its thread. The objects are
  /// invalid once the block has ended.
  public final class Migration {
    let core: SchemaMigration

    package init(_ core: SchemaMigration) { self.core = core }

    /// The classes of the file before the migration. Its properties have their stored names.
    public var oldSchema: Schema { Schema(core.oldSchema, isDeclared: false) }

    /// The classes after the migration, including classes that the configuration does not list. The
    /// properties of declared classes have their declared names.
    ///
    /// After the first access, a class can no longer be renamed.
    public var newSchema: Schema {
      attempt { () throws(Failure) in try core.prepare() }
      return Schema(core.schema.without(core.removedClasses))
    }

    /// Calls a block with the old and the new state of each object that a class had before the
    /// migration.
    ///
    /// The old object has the property names of ``oldSchema``, the new object those of
    /// ``newSchema``: with ``ObjectBase/propertiesMapping()`` they differ.
    ///
    /// The block is called once for each object, whatever it creates. Objects that the migration
    /// has deleted are skipped. The old object cannot be changed; it is nil for a class that the
    /// file did not have. The new object is nil for a class that the program no longer declares and
    /// whose data were deleted.
    ///
    /// - Parameters:
    ///   - typeName: The old or the new name of the class. An unknown name makes the migration
    ///     throw `.unknownClass`.
    ///   - block: A closure that migrates one object.
    /// - Throws: The errors that the block throws.
    /// - Complexity: O(objects). Changes are written out in parts, so memory use does not grow with
    ///   their number.
    public func enumerateObjects(
      ofType typeName: String, _ block: MigrationObjectEnumerateBlock
    ) rethrows {
      guard let id = attempt({ () throws(Failure) in try core.classID(named: typeName) }),
        core.isKept(id) || core.hasListedClasses || ClassInfo.named(typeName).isEmpty
      else { return }
      let old = core.oldSchema.schema(ofClass: id).map { ClassInfo.dynamic($0, in: core.oldSchema) }
      let new =
        core.isKept(id)
        ? core.schema.schema(ofClass: id).map { ClassInfo.dynamic($0, in: core.schema) } : nil
      try core.forEachObject(id, old: old?.description, new: new?.description) { old, new in
        try block(Self.object(old), Self.object(new))
      }
    }

    static func object(_ found: consuming FoundObject?) -> MigrationObject? {
      guard let found else { return nil }
      let object = MigrationObject()
      found.attach(object.handle)
      return object
    }

    /// Creates an object and stores it.
    ///
    /// - Parameters:
    ///   - typeName: The new name of the class. An unknown name makes the migration throw
    ///     `.unknownClass`.
    ///   - value: A value that ``Realm/create(_:value:update:)->T`` accepts, or an object of the
    ///     migration, whose properties with the same names are copied. Properties that the value
    ///     lacks get their declared defaults.
    /// - Returns: The object.
    @discardableResult
    public func create(
      _ typeName: String, value: Any = [String: Any]()
    ) -> MigrationObject {
      let made = attempt { () throws(Failure) -> MigrationObject in
        let id = try core.classID(named: typeName)
        guard let schema = core.schema.schema(ofClass: id), schema.name == typeName, core.isKept(id)
        else { throw .unknownClass(typeName) }
        let object = MigrationObject(ClassInfo.dynamic(schema, in: core.schema))
        if let model = core.model(named: typeName) { object.setDefaults(of: ClassInfo.of(model)) }
        ValueReader.fill(object, from: value)
        return object
      }
      guard let made else { return MigrationObject() }
      realm.add(made)
      return made
    }

    /// Deletes an object.
    ///
    /// - Parameter object: A new object of ``enumerateObjects(ofType:_:)``, or a created one.
    public func delete(_ object: MigrationObject) { realm.delete(object) }

    /// Deletes all objects of a class. The class is removed too, unless the configuration lists it.
    ///
    /// - Parameter typeName: The name of the class.
    /// - Returns: Whether the class exists.
    @discardableResult
    public func deleteData(forType typeName: String) -> Bool {
      attempt { () throws(Failure) in try core.deleteData(ofClass: typeName) } ?? false
    }

    /// Renames a property. The values of a property that is no longer declared become those of a
    /// declared one.
    ///
    /// If the types are the same, no values are copied. The types may differ in optionality. A
    /// primary key stays a primary key. Values that this migration has already set on the new
    /// property are lost, except in objects that the migration has created.
    ///
    /// - Parameters:
    ///   - typeName: The new name of the class.
    ///   - oldName: The property's name in ``oldSchema``.
    ///   - newName: The property's name in ``newSchema``.
    public func renameProperty(onType typeName: String, from oldName: String, to newName: String) {
      attempt { () throws(Failure) in
        try core.renameProperty(ofClass: typeName, from: oldName, to: newName)
      }
    }

    /// Renames a class, including all links to it. Call this method before any other.
    ///
    /// - Parameters:
    ///   - oldName: The name in ``oldSchema``.
    ///   - newName: The name in ``newSchema``.
    public func renameClass(from oldName: String, to newName: String) {
      attempt { () throws(Failure) in try core.renameClass(from: oldName, to: newName) }
    }

    /// Throws the first error of the migration. Call it to stop a long migration early.
    ///
    /// - Throws: `Realm.Error`.
    public func check() throws {
      if let failure = core.transaction.failure { throw Error(failure) }
    }

    private var realm: Realm { Realm(context: core.newContext) }

    /// Runs one operation. If it throws, the migration fails when the block returns.
    @discardableResult
    func attempt<R>(_ operation: () throws(Failure) -> R) -> R? {
      core.transaction.attempt(operation)
    }
  }
}

extension DynamicObject {
  /// Sets the defaults that a class declares.
  fileprivate func setDefaults(of model: ClassInfo) {
    for property in model.properties where property.hasDefault {
      guard let slot = info.slot(storedAs: property.columnName) else { continue }
      _$setBoxed(slot, property.makeDefault())
    }
  }
}
