/// The model classes that a transaction has bound to the schema that it knows.
///
/// Invariant: everything was bound to that schema; a change of it empties what it may have made wrong.
struct BoundClasses {
  /// The bindings of the classes that the transaction may write, by `ClassDescription.modelIndex`.
  private var writable: [Int: ClassBinding] = [:]
  /// Those of classes that were only read.
  private var readable: [Int: ClassBinding] = [:]
  private var lastWritable: ClassBinding?
  private var lastReadable: ClassBinding?
  /// The class that was found to be one of the schema last.
  var currentClass: Unmanaged<ClassSchema>?
  /// The row template asked for last. The memory is that of its class's binding, which the store keeps.
  var lastTemplate: UnsafePointer<RowTemplate>?

  /// The binding of a class that may be written.
  @inline(__always)
  mutating func writable(_ model: ClassDescription) -> ClassBinding? {
    if let lastWritable, lastWritable.model === model { return lastWritable }
    guard let binding = writable[model.modelIndex] else { return nil }
    lastWritable = binding
    return binding
  }

  /// Whether a class was bound for writing.
  func hasWritable(_ model: ClassDescription) -> Bool { writable[model.modelIndex] != nil }

  /// The binding of a class that may be read.
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

  /// The schema has changed: classes that are bound keep their ids.
  mutating func noteNewSchema() {
    lastTemplate = nil
    currentClass = nil
  }

  /// Discards all bindings.
  mutating func removeAll() { self = BoundClasses() }
}
