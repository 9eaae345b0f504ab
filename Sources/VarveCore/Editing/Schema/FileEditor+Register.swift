import VarveEncoding
import VarveStorage

extension FileEditor {
  /// Adds a class and the classes that it links to to the file's schema. Additive changes are
  /// applied.
  ///
  /// - Throws: `.invalidSchema` for an invalid declaration, `.schemaMismatch` with every difference
  ///   that requires a migration.
  package func register(_ model: ClassDescription) throws(Failure) {
    try register(model.closure())
  }

  /// Registers several classes that are closed under links. See
  /// ``register(_:)-(ClassDescription)``.
  package func register(_ models: [ClassDescription]) throws(Failure) {
    // A default that opens a realm registers its own class: the outer call does.
    let models = models.filter { !classifying.contains($0.modelIndex) }
    try checkDeclarations(models)
    let (added, comparisons) = try evaluated(models)
    if !added.isEmpty || !comparisons.isEmpty {
      beginSchemaChange()
      // A file of a release that does not know the field.
      if !schema.mayLackDefaults { storage.root.hasAllDefaults = true }
      try addClasses(added)
      for (model, comparison) in comparisons { try apply(comparison, to: model) }
      classes.removeAll()
    }
    registered.append(contentsOf: models.map(\.hash))
    for model in models {
      if let schema = schema.schema(named: model.name) { noteDefaults(of: model, schema) }
    }
  }

  /// Evaluates the defaults of models, which is code of theirs and may itself register classes, and
  /// compares them with the schema of the transaction.
  ///
  /// - Returns: The models that the file lacks, and those that require additive changes.
  /// - Throws: `.schemaMismatch` with every difference that requires a migration.
  private func evaluated(
    _ models: [ClassDescription]
  ) throws(Failure) -> ([ClassDescription], [(ClassDescription, SchemaComparison)]) {
    let indexes = models.map(\.modelIndex)
    classifying.formUnion(indexes)
    defer { classifying.subtract(indexes) }
    func added() -> [ClassDescription] { models.filter { schema.schema(named: $0.name) == nil } }
    let comparisons = try compare(models)
    let evaluated = added() + comparisons.map(\.0)
    guard !evaluated.isEmpty else { return ([], []) }
    for model in evaluated { model.classifyDefaults() }
    return (added(), try compare(models))
  }

  /// Assigns a new schema generation to the changes saved from now on.
  func beginSchemaChange() {
    storage.root.schemaGeneration = writer.highWaterMarks.nextGeneration(
      after: storage.root.schemaGeneration)
  }

  /// Checks the declarations of classes that are closed under links.
  ///
  /// - Throws: `.invalidSchema` with every fault.
  func checkDeclarations(_ models: [ClassDescription]) throws(Failure) {
    let modelsByName = Dictionary(
      models.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let faults =
      models.flatMap { $0.faults(knownClasses: modelsByName) } + FileEditor.repeatedNames(models)
    guard faults.isEmpty else {
      throw Failure(.invalidSchema, "The model declarations are invalid.", details: faults)
    }
  }

  /// Compares models with the schema of the transaction.
  ///
  /// - Returns: The models that require additive changes.
  /// - Throws: `.schemaMismatch` with every difference that requires a migration.
  private func compare(
    _ models: [ClassDescription]
  ) throws(Failure) -> [(ClassDescription, SchemaComparison)] {
    let comparisons = models.compactMap { model in
      schema.schema(named: model.name).map { stored -> (ClassDescription, SchemaComparison) in
        var comparison = SchemaComparison(model: model, stored: stored, in: schema)
        comparison.restated = model.restated(in: stored)
        return (model, comparison)
      }
    }
    let conflicts = comparisons.flatMap(\.1.conflicts)
    guard conflicts.isEmpty else { throw Failure.schemaMismatch(conflicts) }
    return comparisons.filter { !$0.1.isEmpty }
  }

  /// Returns a fault for each class whose stored name is already used.
  private static func repeatedNames(_ models: [ClassDescription]) -> [String] {
    var seen: Set<String> = []
    return models.filter { !seen.insert($0.name).inserted }.map {
      "Class name '\($0.name)' is declared more than once."
    }
  }

  /// Adds classes that the file lacks.
  func addClasses(_ models: [ClassDescription]) throws(Failure) {
    // Ids are assigned first: new classes may link to each other.
    var ids: [String: UInt32] = [:]
    for model in models {
      let id = storage.root.nextClassID
      if id > openedTables { try openMoreTables(through: id) }
      storage.root.nextClassID += 1
      ids[model.name] = id
    }
    for model in models {
      guard let id = ids[model.name] else { continue }
      var record = StoredClass(
        id: id, name: model.name, isEmbedded: model.isEmbedded, nextPropertyID: 1)
      for property in model.properties where property.isStored {
        addProperty(property, to: &record, ids: ids)
      }
      for index in model.indexes { addIndex(index, to: &record) }
      try record.addLayout()
      try save(record)
    }
  }

  /// Opens tables beyond the spare ones. Only the outer transaction may do this.
  private func openMoreTables(through id: UInt32) throws(Failure) {
    guard !isNested else {
      throw Failure(
        .invalidSchema, "Too many new classes in a grouped write; register them first.")
    }
    try openTables(through: id + WriterState.spareClassTables)
  }

  /// Opens tables for the classes that a nested transaction may add, before it begins: one for each
  /// class that the process knows and the file lacks, and some for classes that are used in it for
  /// the first time.
  func openTablesForNested() throws(Failure) {
    try openSpareTables(writer.pendingClasses.count(for: schema))
  }

  /// Opens tables for future classes, and for `more` additional ones.
  func openSpareTables(_ more: UInt32 = 0) throws(Failure) {
    let needed = storage.root.nextClassID + WriterState.spareClassTables + more
    if openedTables < needed { try openTables(through: needed) }
  }

  private func openTables(through needed: UInt32) throws(Failure) {
    for id in openedTables + 1...needed {
      try engine { () throws(StorageError) in
        _ = try storage.openTable(.objects(ofClass: id), create: true)
      }
    }
    openedTables = needed
  }

  /// Appends a property to a class record, with an id and, if needed, an index.
  func addProperty(
    _ property: PropertyDescription, to record: inout StoredClass, ids: [String: UInt32] = [:]
  ) {
    let id = record.nextPropertyID
    record.nextPropertyID += 1
    let target = property.targetClassName.flatMap { ids[$0] ?? schema.schema(named: $0)?.id }
    let needsIndex =
      property.isPrimaryKey ? !property.kind.isIntegerKey : property.isIndexed
    let constant = property.storedConstant
    record.properties.append(
      StoredProperty(
        id: id, name: property.name, kind: property.kind, targetClassID: target,
        isPrimaryKey: property.isPrimaryKey, isAutoIncremented: property.isAutoIncremented,
        indexID: needsIndex ? newIndexID() : 0,
        addedConstant: constant.isNull ? nil : constant))
    if property.isPrimaryKey { record.primaryKeyPropertyID = id }
  }

  /// Appends an index to a class record that already has the index's properties.
  @discardableResult
  func addIndex(_ index: IndexDescription, to record: inout StoredClass) -> UInt32 {
    let id = newIndexID()
    let properties = index.propertyNames.compactMap { name in
      record.properties.first { $0.name == name }?.id
    }
    record.indexes.append(StoredIndex(id: id, kind: index.kind, propertyIDs: properties))
    return id
  }

  func newIndexID() -> UInt32 {
    let id = storage.root.nextIndexID
    storage.root.nextIndexID += 1
    return id
  }

  private func apply(
    _ comparison: SchemaComparison, to model: ClassDescription
  ) throws(Failure) {
    try restate(comparison.restated, model.name)
    guard var record = schema.schema(named: model.name)?.record else { return }
    for property in comparison.added { addProperty(property, to: &record) }
    if !comparison.added.isEmpty { try record.addLayout() }
    var newIndexes: [UInt32] = []
    for property in comparison.newlyIndexed {
      guard let index = record.properties.firstIndex(where: { $0.name == property.name }) else {
        continue
      }
      record.properties[index].indexID = newIndexID()
      newIndexes.append(record.properties[index].id)
    }
    if comparison.beginsGeneratingKeys { record.setAutoIncrement(true) }
    try save(record)
    try fillAdded(comparison.added, model.name)
    if !comparison.addedIndexes.isEmpty { try addIndexes(comparison.addedIndexes, model.name) }
    guard let changed = schema.schema(named: model.name) else { return }
    let added = comparison.added.compactMap { changed.property(named: $0.name)?.id }
    for id in newIndexes + added {
      guard let property = changed.property(id: id), property.indexID != 0 else { continue }
      try buildIndex(property, of: changed)
    }
  }

  /// Adds indexes to a class, and inserts its objects into them.
  ///
  /// - Throws: `.duplicateValue` with the class, properties and values if a unique index cannot be
  ///   built.
  func addIndexes(_ indexes: [IndexDescription], _ className: String) throws(Failure) {
    guard var record = schema.schema(named: className)?.record else { return }
    var ids: Set<UInt32> = []
    for index in indexes { ids.insert(addIndex(index, to: &record)) }
    try save(record)
    guard let changed = schema.schema(named: className) else { return }
    for index in changed.indexes where ids.contains(index.id) {
      try buildClassIndex(index, of: changed)
    }
  }

  /// Writes a class record and updates the transaction's schema.
  func save(_ record: StoredClass) throws(Failure) {
    try flush()
    CatalogKey.classRecord(id: record.id).encode(into: &scratchKey)
    CatalogCodec.encode(record, into: &scratchValue)
    try putScratch(.catalog)
    schema = schema.replacing(
      [try ClassSchema(record)], generation: storage.root.schemaGeneration)
  }

  /// Records in the file that a model is compatible, so that the next open needs one lookup.
  func noteModel(_ hash: SchemaHash) throws(Failure) {
    CatalogKey.model(hash).encode(into: &scratchKey)
    CatalogCodec.encode(generation: storage.root.schemaGeneration, into: &scratchValue)
    try putScratch(.catalog)
  }
}

extension Failure {
  static func schemaMismatch(_ conflicts: [String]) -> Failure {
    Failure(
      .schemaMismatch,
      "The model differs from the file in ways that need a migration; raise schemaVersion.",
      details: conflicts)
  }
}
