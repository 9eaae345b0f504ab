import VarveEncoding
import VarveStorage

/// The change of a file from the classes that it stores to those of a program, inside one write transaction.
///
/// It has three parts.
///
/// - ``prepare()`` gives each class its new properties. Rows are not touched: they read the new properties by what is
///   constant of them. A property that is dropped, or whose type changes, stays until the end, *hidden* under a name that
///   no program gives, so that it can still be renamed.
/// - Then objects are read and changed; the old ones stand in the version before the transaction.
/// - ``finish(version:)`` gives back what the hidden properties hold, and sets up primary keys and indexes.
///
/// A class whose primary key changes has none in between.
///
/// Thread safety: none; as the transaction.
package final class SchemaMigration {
  package let transaction: Transaction
  /// The classes before the migration.
  package let oldSchema: FileSchema
  private let program: ProgramClasses
  /// The classes of the program that the file has or gets.
  private(set) var models: [ClassDescription]
  private(set) var isPrepared = false
  /// The classes whose primary key is set up at the end.
  var newKeys: Set<UInt32> = []
  /// The classes whose object ids are integer keys that they do not have any more.
  var formerIntegerKeys: Set<UInt32> = []
  /// The classes that end with the migration.
  package internal(set) var removedClasses: Set<UInt32> = []
  /// The names that hidden properties had.
  var hiddenNames: [QualifiedProperty: String] = [:]

  struct QualifiedProperty: Hashable {
    var classID: UInt32
    var propertyID: UInt32
  }

  /// - Parameters:
  ///   - transaction: one that has changed nothing yet.
  ///   - program: the classes of the program; those that they link to come along.
  init(_ transaction: Transaction, to program: ProgramClasses) {
    self.transaction = transaction
    self.program = program
    oldSchema = transaction.schema
    models = Store.closure(of: program.models(in: oldSchema))
    transaction.beginSchemaChange()
  }

  /// The hash of the listed classes, which the file is compatible with when the migration has ended.
  var listedHash: SchemaHash? {
    guard case .listed(let models) = program, !models.isEmpty else { return nil }
    return SchemaHash(of: models.map(\.hashed))
  }

  /// The classes as they are now.
  package var schema: FileSchema { transaction.schema }

  /// Whether the program lists its classes.
  package var hasListedClasses: Bool { listedHash != nil }

  /// The class of the program with a name.
  package func model(named name: String) -> ClassDescription? { models.first { $0.name == name } }

  func model(of schema: ClassSchema) -> ClassDescription? { model(named: schema.name) }

  /// The class under a name that it has now, or had before. A compiled class that the file lacks is
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

  /// Gives a class of the file another name, which a class of the program has.
  ///
  /// - Throws: `.unknownClass`, `.invalidInput` when the new name is taken, or objects may have been read already.
  package func renameClass(from old: String, to new: String) throws(Failure) {
    guard !isPrepared else {
      throw Failure(
        .invalidInput, "Classes are renamed before anything else is done in a migration.",
        className: old)
    }
    guard var record = schema.schema(named: old)?.record else { throw .unknownClass(old) }
    guard schema.schema(named: new) == nil else {
      throw Failure(.invalidInput, "The file has a class of this name already.", className: new)
    }
    record.name = new
    try transaction.save(record)
    transaction.classes.removeAll()
  }

  /// Removes the objects of a class, and the class too unless it is one of the program.
  ///
  /// - Returns: false when there is no such class.
  package func deleteData(ofClass name: String) throws(Failure) -> Bool {
    try prepare()
    guard let schema = schema.schema(named: name) else { return false }
    var rest = try transaction.objectIDs(of: schema)[...]
    // In parts, so that what is collected of links stays small.
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

  /// Gives the classes of the file the properties of the program's.
  ///
  /// - Throws: `.invalidSchema` when a declaration is unsound.
  package func prepare() throws(Failure) {
    guard !isPrepared else { return }
    isPrepared = true
    // Classes may have been renamed.
    models = Store.closure(of: program.models(in: schema))
    try transaction.checkDeclarations(models)
    let known = models.filter { schema.schema(named: $0.name) != nil }
    try transaction.addClasses(models.filter { schema.schema(named: $0.name) == nil })
    for model in known {
      try setAutoIncrement(model)
      try change(model)
    }
    transaction.classes.removeAll()
  }

  /// Adds a compiled class that the file neither has nor had, with those that it links to.
  private func addCompiledClass(named name: String) throws(Failure) {
    guard schema.schema(named: name) == nil, oldSchema.schema(named: name) == nil,
      let model = program.compiledModel(named: name)
    else { return }
    let added = Store.closure(of: [model]).filter { schema.schema(named: $0.name) == nil }
    try transaction.checkDeclarations(added)
    try transaction.addClasses(added)
    models += added
    transaction.classes.removeAll()
  }
}
