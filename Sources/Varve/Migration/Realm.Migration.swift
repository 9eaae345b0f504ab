package import VarveCore
import VarveEncoding

/// What a program does between the classes that a file has and those that it declares; see
/// ``Realm/Configuration/migrationBlock``.
///
/// - Parameters:
///   - migration: the file, before and now.
///   - oldSchemaVersion: the version that the file had.
public typealias MigrationBlock =
  @Sendable (_ migration: Realm.Migration, _ oldSchemaVersion: UInt64) throws -> Void

/// An object in a migration: its properties are asked for by name.
public typealias MigrationObject = DynamicObject

/// What ``Realm/Migration/enumerateObjects(ofType:_:)`` calls with each object, before and now.
public typealias MigrationObjectEnumerateBlock = (
  _ oldObject: MigrationObject?, _ newObject: MigrationObject?
) throws -> Void

extension Realm {
  /// A file between two schemas.
  ///
  /// ```swift
  /// configuration.migrationBlock = { migration, oldVersion in
  ///   migration.enumerateObjects(ofType: "Person") { old, new in
  ///     new?["fullName"] = "\(old?["firstName"] ?? "") \(old?["lastName"] ?? "")"
  ///   }
  /// }
  /// ```
  ///
  /// Properties that the program declares and the file does not have are added; those that it does not declare any more
  /// are removed when the block has ended. One whose type has changed is removed and added: its objects read the default,
  /// or what the block sets, and `old` has the value of before. Where only whether null is allowed has changed, values
  /// are kept, and null becomes the default. Links to another class begin empty.
  ///
  /// The whole migration is one write transaction. An operation that cannot be done, such as renaming a property that
  /// does not exist, is skipped, and opening the file throws its error in the end; then, and when the block throws,
  /// nothing of the migration stays.
  ///
  /// A class whose primary key changes has none inside the block. At its end, two objects with one key make the
  /// migration throw `.duplicatePrimaryKey` with class, property and value.
  ///
  /// Thread safety: none; only the block uses it, on its thread. Its objects end with the block.
  public final class Migration {
    let core: SchemaMigration

    package init(_ core: SchemaMigration) { self.core = core }

    /// The classes of the file before the migration.
    public var oldSchema: Schema { Schema(core.oldSchema) }

    /// The classes as they will be, with those that the configuration does not name. A class cannot be renamed after this
    /// was asked for.
    public var newSchema: Schema {
      attempt { () throws(Failure) in try core.prepare() }
      return Schema(core.schema.without(core.removedClasses))
    }

    /// Calls a block with each object that a class had before the migration: as it was, and as it is now.
    ///
    /// Each object comes once, whatever the block creates. Objects that the migration has deleted do not come. The old
    /// object cannot be changed. For a class that the file did not have, the old object is nil; for one whose data were
    /// deleted and that the program does not have any more, the new one.
    ///
    /// - Parameters:
    ///   - typeName: the name of the class, before or now; a class that never was makes the migration throw
    ///     `.unknownClass`.
    ///   - block: what to do with an object.
    /// - Throws: what the block throws.
    /// - Complexity: O(objects). What is changed is written out in parts, so memory does not grow with it.
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

    private static func object(_ found: consuming FoundObject?) -> MigrationObject? {
      guard let found else { return nil }
      let object = MigrationObject()
      found.attach(object.handle)
      return object
    }

    /// Makes an object and stores it.
    ///
    /// - Parameters:
    ///   - typeName: the name of the class now; one that there is not makes the migration throw `.unknownClass`.
    ///   - value: as for ``Realm/create(_:value:update:)->T``; an object of the migration, too, of which the properties
    ///     with the same names are taken. What it lacks gets the declared default.
    /// - Returns: the object.
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
    /// - Parameter object: a new object of ``enumerateObjects(ofType:_:)``, or one that was created.
    public func delete(_ object: MigrationObject) { realm.delete(object) }

    /// Deletes all objects of a class; the class too, unless the configuration has it among its types.
    ///
    /// - Parameter typeName: the name of the class.
    /// - Returns: whether there is such a class.
    @discardableResult
    public func deleteData(forType typeName: String) -> Bool {
      attempt { () throws(Failure) in try core.deleteData(ofClass: typeName) } ?? false
    }

    /// Has a property that the program declares take over the values of one that it does not declare any more.
    ///
    /// Nothing is copied, and so it costs nothing, where the types are the same; they may differ in whether null is
    /// allowed. A primary key stays one. What this migration has set the new property to is lost, but in objects that it
    /// has created.
    ///
    /// - Parameters:
    ///   - typeName: the name of the class now.
    ///   - oldName: the property's name in ``oldSchema``.
    ///   - newName: its name in ``newSchema``.
    public func renameProperty(onType typeName: String, from oldName: String, to newName: String) {
      attempt { () throws(Failure) in
        try core.renameProperty(ofClass: typeName, from: oldName, to: newName)
      }
    }

    /// Gives a class another name, with all that links to it. To be called before anything else.
    ///
    /// - Parameters:
    ///   - oldName: the name in ``oldSchema``.
    ///   - newName: the name in ``newSchema``.
    public func renameClass(from oldName: String, to newName: String) {
      attempt { () throws(Failure) in try core.renameClass(from: oldName, to: newName) }
    }

    /// Throws the first error of the migration, so that a long one can stop early.
    ///
    /// - Throws: `Realm.Error`.
    public func check() throws {
      if let failure = core.transaction.failure { throw Error(failure) }
    }

    private var realm: Realm { Realm(context: core.newContext) }

    /// Runs one operation; what it throws has the migration fail in the end.
    @discardableResult
    private func attempt<R>(_ operation: () throws(Failure) -> R) -> R? {
      core.transaction.attempt(operation)
    }
  }
}

extension DynamicObject {
  /// Sets the defaults that a class declares.
  fileprivate func setDefaults(of model: ClassInfo) {
    for property in model.properties where property.hasDefault {
      guard property.type.kind.collection == .none, let slot = info.slot(named: property.columnName)
      else { continue }
      _$setBoxed(slot, property.makeDefault())
    }
  }
}
