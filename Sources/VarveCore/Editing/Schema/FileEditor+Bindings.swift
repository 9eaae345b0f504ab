import VarveEncoding

/// The classes as a transaction knows them.
extension FileEditor {
  /// The binding of a model class inside this transaction; registers the class when the file does
  /// not have it.
  package func binding(for model: ClassDescription) throws(Failure) -> ClassBinding {
    if let binding = classes.writable(model) { return binding }
    if model.isDynamic {
      guard schema.schema(named: model.name) != nil else { throw .unknownClass(model.name) }
    } else if schema.schema(named: model.name) == nil || !file.isChecked(model.hash) {
      try register(model)
    }
    let binding = classes.readable(model) ?? boundAnew(model)
    guard binding.fits else { throw binding.mismatch }
    classes.noteWritable(binding)
    return binding
  }

  /// The binding of a model class; a class that the transaction does not know is left alone.
  ///
  /// One that does not fit the file dooms the transaction, and reads as empty.
  package func knownBinding(for model: ClassDescription) -> ClassBinding {
    if let binding = classes.readable(model) { return binding }
    let binding = boundAnew(model)
    classes.noteReadable(binding)
    if _slowPath(!binding.fits) { markFailed(binding.mismatch) }
    return binding
  }

  private func boundAnew(_ model: ClassDescription) -> ClassBinding {
    schema === file.schema
      ? file.binding(for: model)
      : file.provisionalBinding(for: model, schema: schema, token: token)
  }

  /// Whether a class is the one that the transaction knows under its id.
  @inline(__always)
  func isCurrent(_ schema: ClassSchema) -> Bool {
    if classes.currentClass?.toOpaque() == Unmanaged.passUnretained(schema).toOpaque() {
      return true
    }
    guard self.schema.schema(ofClass: schema.id) === schema else { return false }
    // Safe because the schema of the transaction keeps it as long as this is remembered.
    classes.currentClass = .passUnretained(schema)
    return true
  }

  /// The stored class behind an id.
  package func classSchema(_ id: UInt32) throws(Failure) -> ClassSchema {
    guard let found = schema.schema(ofClass: id) else {
      throw Failure(.corrupted, "A link names a class that the file does not have.")
    }
    return found
  }
}
