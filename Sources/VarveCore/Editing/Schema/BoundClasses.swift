/// The model classes that a transaction has bound to its schema.
///
/// Invariant: all bindings refer to that schema; a schema change discards the bindings that it may
/// have invalidated.
struct BoundClasses {
  /// The bindings of the classes that the transaction may write, by `ClassDescription.modelIndex`.
  private var writable: [Int: ClassBinding] = [:]
  /// The bindings of classes that were only read.
  private var readable: [Int: ClassBinding] = [:]
  private var lastWritable: ClassBinding?
  private var lastReadable: ClassBinding?
  /// The last class that was found to be in the schema.
  var currentClass: Unmanaged<ClassSchema>?
  /// The row template returned last. Its memory is owned by its class's binding, which the store
  /// retains.
  var lastTemplate: UnsafePointer<RowTemplate>?

  /// Returns the binding of a class that may be written.
  @inline(__always)
  mutating func writable(_ model: ClassDescription) -> ClassBinding? {
    if let lastWritable, lastWritable.model === model { return lastWritable }
    guard let binding = writable[model.modelIndex] else { return nil }
    lastWritable = binding
    return binding
  }

  /// Whether a class was bound for writing.
  func hasWritable(_ model: ClassDescription) -> Bool { writable[model.modelIndex] != nil }

  /// Returns the binding of a class that may be read.
  @inline(__always)
  mutating func readable(_ model: ClassDescription) -> ClassBinding? {
    if let lastWritable, lastWritable.model === model { return lastWritable }
    if let lastReadable, lastReadable.model === model { return lastReadable }
    guard let binding = writable[model.modelIndex] ?? readable[model.modelIndex] else {
      return nil
    }
    lastReadable = binding
    return binding
  }

  mutating func noteWritable(_ binding: ClassBinding) {
    writable[binding.model.modelIndex] = binding
  }

  mutating func noteReadable(_ binding: ClassBinding) {
    readable[binding.model.modelIndex] = binding
  }

  /// Updates the bindings after a schema change. Bound classes keep their ids.
  mutating func noteNewSchema() {
    lastTemplate = nil
    currentClass = nil
  }

  /// Discards all bindings.
  mutating func removeAll() { self = BoundClasses() }
}
