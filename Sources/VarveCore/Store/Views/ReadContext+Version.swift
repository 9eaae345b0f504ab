import VarveStorage

extension ReadContext {
  /// The version that handles of this context read.
  package var version: FileVersion { FileVersion(snapshot.version) }

  /// The serial number of a frozen snapshot, unique in the process; nil for a live context.
  package var frozenSerial: UInt64? { frozen?.serial }
}
