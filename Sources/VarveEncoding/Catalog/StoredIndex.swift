/// The purpose of an index of a class.
///
/// The raw values are part of the file format: never renumber.
package enum IndexKind: UInt8, Sendable, CaseIterable {
  /// Finds objects by the values of its properties, in their order.
  case ordered = 1
  /// Like `ordered`, but no two objects may have the same values.
  case unique = 2
  /// Finds objects by the words of one string.
  case fullText = 3
}

/// An index of a class over one or more properties, separate from the indexes of single properties.
package struct StoredIndex: Hashable, Sendable {
  package var id: UInt32
  package var kind: IndexKind
  package var propertyIDs: [UInt32]

  package init(id: UInt32, kind: IndexKind, propertyIDs: [UInt32]) {
    self.id = id
    self.kind = kind
    self.propertyIDs = propertyIDs
  }
}
