import VarveEncoding
import VarveStorage

extension Store {
  /// Compares the classes of a program with the file when it is opened, and registers the listed
  /// classes.
  ///
  /// The listed classes are compared by one hash with the schemas already found compatible with the
  /// file. They are compared class by class only when the hash is unknown.
  /// - Throws: `.schemaMismatch`, `.invalidSchema`, or an error of ``write(view:_:_:)``.
  package func register(
    atOpen program: ProgramClasses, _ watch: WorkWatch? = nil
  ) throws(Failure) {
    try compareOrRegister(program, watch)
    fillDefaults(atOpen: program)
  }

  private func compareOrRegister(
    _ program: ProgramClasses, _ watch: WorkWatch?
  ) throws(Failure) {
    guard case .listed(let models) = program else {
      return try compare(program.models(in: schema).filter { !isChecked($0.hash) })
    }
    guard !models.isEmpty else { return }
    let hash = SchemaHash(of: models.map(\.hashed))
    if isChecked(hash) { return }
    let snapshot = try newestSnapshot()
    if isRegistered(hash, in: snapshot) {
      for model in models { noteChecked(model.hash) }
      return noteChecked(hash)
    }
    let all = Store.closure(of: models)
    // Data missing from a read-only file reads as empty, but types must agree.
    if options.isReadOnly { return try compare(all) }
    try register(all, noting: hash, view: nil, watch)
  }

  /// Registers classes, and the classes that they link to, in the file.
  ///
  /// `view`: Takes part in the write, and therefore reads the classes afterwards.
  package func register(_ models: [ClassDescription], view: View?) throws(Failure) {
    try register(Store.closure(of: models), noting: nil, view: view)
  }

  /// Registers classes that are closed under links.
  ///
  /// - Parameters:
  ///   - hash: The hash to note for later openings; nil for none.
  ///   - watch: Can end the wait for other writers.
  func register(
    _ models: [ClassDescription], noting hash: SchemaHash?, view: View?, _ watch: WorkWatch? = nil
  ) throws(Failure) {
    do {
      if let transaction = runningTransaction(for: view) { return try transaction.register(models) }
      try write(view: view, watch) { transaction in
        try transaction.register(models)
        if let hash { try transaction.noteModel(hash) }
      }
      if let hash { noteChecked(hash) }
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(.fail, "The classes could not be registered.", value: "\(error)")
    }
  }

  private func isRegistered(_ hash: SchemaHash, in snapshot: Snapshot) -> Bool {
    var key = OrderedKey()
    CatalogKey.model(hash).encode(into: &key)
    // A schema of one version only grows, and a migration removes these entries.
    return key.withUnsafeBytes { snapshot.find(.catalog, key: $0) } != nil
  }

  /// - Throws: `.schemaMismatch` when classes differ from the file in ways that need a migration.
  private func compare(_ models: [ClassDescription]) throws(Failure) {
    let conflicts = conflicts(with: models)
    guard conflicts.isEmpty else { throw Failure.schemaMismatch(conflicts) }
  }

  /// The differences between classes and the file that need a migration.
  func conflicts(with models: [ClassDescription]) -> [String] {
    let schema = schema
    return models.flatMap { model in
      schema.schema(named: model.name).map {
        SchemaComparison(model: model, stored: $0, in: schema).conflicts
      } ?? []
    }
  }

  static func closure(of models: [ClassDescription]) -> [ClassDescription] {
    var all: [ClassDescription] = []
    var seen: Set<Int> = []
    for model in models {
      for linked in model.closure() where seen.insert(linked.modelIndex).inserted {
        all.append(linked)
      }
    }
    return all
  }
}
