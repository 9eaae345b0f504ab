/// What an embedded class must not declare.
extension ClassDescription {
  /// The faults of an embedded class, in words that name class and property.
  func embeddingFaults() -> [String] {
    var faults = properties.filter(\.isPrimaryKey).map {
      "Embedded class '\(name)' cannot have the primary key '\($0.name)'."
    }
    if let path = embeddingCycle() {
      faults.append("Embedded class '\(name)' embeds itself: '\(path)'.")
    }
    return faults
  }

  /// The names of the properties over which a class embeds itself; nil when it does not. A way over an
  /// object that is not embedded is none: there the embedding ends.
  private func embeddingCycle() -> String? {
    var waiting = [(self, name)]
    var seen: Set<Int> = []
    while let (description, path) = waiting.popLast() {
      for property in description.properties {
        guard let target = description.linkedClass(of: property), target.isEmbedded else {
          continue
        }
        let longer = "\(path).\(property.name)"
        if target === self { return longer }
        if seen.insert(target.modelIndex).inserted { waiting.append((target, longer)) }
      }
    }
    return nil
  }
}
