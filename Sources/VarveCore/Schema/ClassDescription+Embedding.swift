/// What an embedded class must not declare.
extension ClassDescription {
  /// The faults of an embedded class, in words that name class and property.
  func embeddingFaults() -> [String] {
    properties.filter(\.isPrimaryKey).map {
      "Embedded class '\(name)' cannot have the primary key '\($0.name)'."
    }
  }
}
