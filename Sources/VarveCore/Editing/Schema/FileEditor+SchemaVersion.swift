import Synchronization
import VarveStorage

/// The schema version of a store that is filled with what another one held.
extension FileEditor {
  /// The version that classes from elsewhere must have; nil when any will do: the store has no class, and the program
  /// knows no version.
  package var expectedSchemaVersion: UInt64? {
    let version =
      schema.classes.isEmpty ? file.knownVersion.load(ordering: .relaxed) : schema.version
    return version == .max ? nil : version
  }

  /// Gives a store without classes the version that classes from elsewhere have. One with classes keeps its own.
  package func adoptSchemaVersion(_ version: UInt64) {
    guard schema.classes.isEmpty else { return }
    storage.root.userSchemaVersion = version
    schema = schema.with(version: version)
  }
}
