import Synchronization
import VarveStorage

/// The schema version of a store that is filled with the contents of another one.
extension FileEditor {
  /// The version that imported classes must have. Nil if any version is accepted: the store has no
  /// class, and the program has set no version.
  package var expectedSchemaVersion: UInt64? {
    let version =
      schema.classes.isEmpty ? file.knownVersion.load(ordering: .relaxed) : schema.version
    return version == .max ? nil : version
  }

  /// Gives a store without classes the version of imported classes. A store with classes keeps its
  /// own.
  package func adoptSchemaVersion(_ version: UInt64) {
    guard schema.classes.isEmpty else { return }
    storage.root.userSchemaVersion = version
    schema = schema.with(version: version)
  }
}
