import VarveEncoding
import VarveStorage

extension StoreFile {
  /// The stored class that a query of a model class reads in a version; nil when the file does not know it, or stores it
  /// with other types.
  final func schema(
    of model: ClassDescription, in file: FileSchema, _ reader: any TableReader
  ) -> ClassSchema? {
    binding(for: model).misfits.isEmpty ? file.schema(named: model.name) : nil
  }
}
