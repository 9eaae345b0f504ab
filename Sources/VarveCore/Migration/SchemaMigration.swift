import VarveEncoding
import VarveStorage

/// The migration of a file from its stored classes to the classes of a program, inside one write
/// transaction.
///
/// A migration has three stages.
///
/// 1. ``prepare()`` adds the new properties to each class. Rows are not changed: they read the new
///    properties as constants. A property that is removed, or whose type changes, is kept until the
///    end. It is *hidden* under a reserved name, so that it can still be renamed.
/// 2. Objects are read and changed. Their old state is read from the version before the
///    transaction.
/// 3. ``finish(version:)`` releases the data of hidden properties, and sets up primary keys and
///    indexes.
///
/// A class whose primary key changes has no primary key between the first and the last stage.
///
/// Thread safety: not thread-safe, like its transaction.
package final class SchemaMigration {
  package let transaction: Transaction
  /// The classes before the migration.
  package let oldSchema: FileSchema
  private let program: ProgramClasses
  /// The classes of the program that the file contains or will contain.
  package private(set) var models: [ClassDescription]
  private(set) var isPrepared = false
  /// The classes whose primary key is set up at the end.
  var newKeys: Set<UInt32> = []
  /// The classes whose object ids are still integer keys that they no longer have.
  var formerIntegerKeys: Set<UInt32> = []
  /// The classes that the migration removes.
  package internal(set) var removedClasses: Set<UInt32> = []
  /// The original names of hidden properties.
  var hiddenNames: [QualifiedProperty: String] = [:]

  struct QualifiedProperty: Hashable {
    var classID: UInt32
    var propertyID: UInt32
  }

  /// - Parameters:
  ///   - transaction: A transaction without changes.
  ///   - program: The classes of the program. The classes that they link to are included.
  init(_ transaction: Transaction, to program: ProgramClasses) {
    self.transaction = transaction
    self.program = program
    oldSchema = transaction.schema
    models = Store.closure(of: program.models(in: oldSchema))
    transaction.isMigration = true
    transaction.beginSchemaChange()
  }

  /// The hash of the listed classes, with which the file is compatible after the migration.
  var listedHash: SchemaHash? {
    guard case .listed(let models) = program, !models.isEmpty else { return nil }
    return SchemaHash(of: models.map(\.hashed))
  }

  /// The current classes.
  package var schema: FileSchema { transaction.schema }

  /// Whether the program lists its classes.
  package var hasListedClasses: Bool { listedHash != nil }

  /// The class of the program with a name.
  package func model(named name: String) -> ClassDescription? { models.first { $0.name == name } }

  func model(of schema: ClassSchema) -> ClassDescription? { model(named: schema.name) }

  /// The class with a current or former name. A compiled class that the file does not contain is
  /// added.
  ///
  /// - Throws: `.unknownClass`.
  package func classID(named name: String) throws(Failure) -> UInt32 {
    try prepare()
    try addCompiledClass(named: name)
    if let schema = schema.schema(named: name) { return schema.id }
    if let schema = oldSchema.schema(named: name) { return schema.id }
    throw .unknownClass(name)
  }

  /// Renames a class of the file to the name of a class of the program.
  ///
  /// - Throws: `.unknownClass`, or `.invalidInput` if the new name is in use, or if objects may
  ///   already have been read.
  package func renameClass(from old: String, to new: String) throws(Failure) {
    guard !isPrepared else {
      throw Failure(
        .invalidInput, "Classes must be renamed before all other steps of a migration.",
        className: old)
    }
    guard var record = schema.schema(named: old)?.record else { throw .unknownClass(old) }
    guard schema.schema(named: new) == nil else {
      throw Failure(.invalidInput, "The file already has a class of this name.", className: new)
    }
    record.name = new
    try transaction.save(record)
    transaction.classes.removeAll()
  }

  /// Deletes the objects of a class, and the class itself unless the program contains it.
  ///
  /// - Returns: false if the class does not exist.
  package func deleteData(ofClass name: String) throws(Failure) -> Bool {
    try prepare()
    guard let schema = schema.schema(named: name) else { return false }
    var rest = try transaction.objectIDs(of: schema)[...]
    // In batches, to limit the memory for collected links.
    while !rest.isEmpty {
      let part = rest.prefix(Self.batch)
      rest = rest.dropFirst(Self.batch)
      try transaction.delete(part.map { RowKey(classID: schema.id, objectID: $0) })
    }
    if model(of: schema) == nil { removedClasses.insert(schema.id) }
    return true
  }

  static let batch = 10_000

  // MARK: Preparation

  /// Updates the classes of the file to the properties that the program declares.
  ///
  /// - Throws: `.invalidSchema` for an invalid declaration.
  package func prepare() throws(Failure) {
    guard !isPrepared else { return }
    isPrepared = true
    // The classes may have been renamed.
    models = Store.closure(of: program.models(in: schema))
    try transaction.checkDeclarations(models)
    for model in models { model.classifyDefaults() }
    let existing = models.filter { schema.schema(named: $0.name) != nil }
    try transaction.addClasses(models.filter { schema.schema(named: $0.name) == nil })
    for model in existing {
      try setAutoIncrement(model)
      try change(model)
    }
    transaction.classes.removeAll()
    transaction.schema = schema.declaring(models)
  }

  /// Adds a compiled class that the file neither contains nor contained, with the classes that it
  /// links to.
  private func addCompiledClass(named name: String) throws(Failure) {
    guard schema.schema(named: name) == nil, oldSchema.schema(named: name) == nil,
      let model = program.compiledModel(named: name)
    else { return }
    let added = Store.closure(of: [model]).filter { schema.schema(named: $0.name) == nil }
    try transaction.checkDeclarations(added)
    for model in added { model.classifyDefaults() }
    try transaction.addClasses(added)
    models += added
    transaction.classes.removeAll()
    transaction.schema = schema.declaring(models)
  }
}
