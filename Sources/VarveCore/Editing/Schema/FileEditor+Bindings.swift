import VarveEncoding

/// The class bindings of a transaction.
extension FileEditor {
  /// Returns the binding of a model class inside this transaction. Registers the class if the file
  /// lacks it.
  package func binding(for model: ClassDescription) throws(Failure) -> ClassBinding {
    if let binding = classes.writable(model) { return binding }
    if model.isDynamic {
      guard schema.schema(named: model.name) != nil else { throw .unknownClass(model.name) }
    } else if schema.schema(named: model.name) == nil || !file.isChecked(model.hash) {
      try register(model)
    }
    let binding = classes.readable(model) ?? newBinding(model)
    guard binding.fits else { throw binding.mismatch }
    classes.noteWritable(binding)
    if let schema = binding.schema { noteDefaults(of: model, schema) }
    return binding
  }

  /// Notes that objects of a class may lack defaults, which the model may declare.
  func noteDefaults(of model: ClassDescription, _ schema: ClassSchema) {
    guard schema.mayLackDefaults else { return }
    if model.isDynamic {
      leavesDefaults = true
    } else if !boundWithDefaults.contains(where: { $0 === model }) {
      boundWithDefaults.append(model)
    }
  }

  /// Returns the binding of a model class without registering it.
  ///
  /// A class with a schema mismatch marks the transaction as failed, and reads as empty.
  package func readableBinding(for model: ClassDescription) -> ClassBinding {
    if let binding = classes.readable(model) { return binding }
    let binding = newBinding(model)
    classes.noteReadable(binding)
    if _slowPath(!binding.fits) { markFailed(binding.mismatch) }
    return binding
  }

  private func newBinding(_ model: ClassDescription) -> ClassBinding {
    schema === file.schema
      ? file.binding(for: model)
      : file.provisionalBinding(for: model, schema: schema, outcome: outcome)
  }

  /// Whether a class is the transaction's class with its id.
  @inline(__always)
  func isCurrent(_ schema: ClassSchema) -> Bool {
    if classes.currentClass?.toOpaque() == Unmanaged.passUnretained(schema).toOpaque() {
      return true
    }
    guard self.schema.schema(ofClass: schema.id) === schema else { return false }
    // Safe because the transaction's schema retains it as long as this reference exists.
    classes.currentClass = .passUnretained(schema)
    return true
  }

  /// Returns the stored class with an id.
  package func classSchema(_ id: UInt32) throws(Failure) -> ClassSchema {
    guard let found = schema.schema(ofClass: id) else {
      throw Failure(.corrupted, "A link refers to a class that is not in the file.")
    }
    return found
  }
}
