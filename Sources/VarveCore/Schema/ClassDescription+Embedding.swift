/// The restrictions on declarations of embedded classes.
extension ClassDescription {
  /// Returns the faults of an embedded class, as sentences with the names of class and property.
  func embeddingFaults() -> [String] {
    properties.filter(\.isPrimaryKey).map {
      "Embedded class '\(name)' cannot have the primary key '\($0.name)'."
    }
  }
}
