import VarveEncoding
import VarveStorage

/// Binds model classes to what is stored under their names: a file as it is committed, or the transaction that changes
/// it.
protocol BindingSource: AnyObject {
  /// The binding of a model class that is read. A class that the file does not know reads as empty.
  func knownBinding(for model: ClassDescription) -> ClassBinding
}

extension StoreFile: BindingSource {
  final func knownBinding(for model: ClassDescription) -> ClassBinding { binding(for: model) }

  /// What binds the classes of a reader: a version, or the running transaction of this thread.
  final func bindings(of reader: any TableReader) -> any BindingSource {
    reader is Snapshot ? self : runningBindings ?? self
  }

  /// The stored class that a query of a model class reads; nil when the file does not know it, or stores
  /// it with other types. The latter dooms the running transaction, if `reader` is one.
  final func schema(
    of model: ClassDescription, in file: FileSchema, _ reader: any TableReader
  ) -> ClassSchema? {
    if !(reader is Snapshot), let runningBindings {
      return runningBindings.knownBinding(for: model).schema
    }
    return binding(for: model).misfits.isEmpty ? file.schema(named: model.name) : nil
  }

  /// The running transaction of the calling thread; nil outside a write.
  private final var runningBindings: (any BindingSource)? { isWritingThread ? writing : nil }
}
