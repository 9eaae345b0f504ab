package import VarveEncoding

/// An index of a class as the program's model declares it: compound, unique or full-text.
package struct IndexDescription: Hashable, Sendable {
  package var kind: IndexKind
  /// The stored names of the properties.
  package var propertyNames: [String]

  package init(kind: IndexKind, propertyNames: [String]) {
    self.kind = kind
    self.propertyNames = propertyNames
  }

  /// A description for messages, such as `unique index (name, age)`.
  package var text: String {
    let names = propertyNames.joined(separator: ", ")
    return switch kind {
    case .ordered: "index (\(names))"
    case .unique: "unique index (\(names))"
    case .fullText: "full-text index (\(names))"
    }
  }
}

extension ClassDescription {
  /// Returns the faults of the class's own indexes, as sentences.
  func indexFaults() -> [String] {
    var faults: [String] = []
    var seen: Set<IndexDescription> = []
    for index in indexes {
      let subject = "Class '\(name)': the \(index.text)"
      if !seen.insert(index).inserted { faults.append("\(subject) is declared twice.") }
      if index.propertyNames.isEmpty { faults.append("\(subject) has no properties.") }
      if Set(index.propertyNames).count < index.propertyNames.count {
        faults.append("\(subject) names a property twice.")
      }
      for propertyName in index.propertyNames {
        guard let property = properties.first(where: { $0.name == propertyName && $0.isStored })
        else {
          faults.append("\(subject) names '\(propertyName)', which is no persisted property.")
          continue
        }
        let isSuited =
          property.kind.collection == .none
          && (index.kind == .fullText
            ? property.kind.type == .string : property.kind.type.isIndexable)
        if !isSuited {
          faults.append("\(subject) cannot have '\(propertyName)' of type \(property.typeName).")
        }
      }
    }
    return faults
  }
}

/// An index of a class as the file stores it, with its resolved properties.
package struct ClassIndex: Sendable {
  package let record: StoredIndex
  package let properties: [StoredProperty]

  package var id: UInt32 { record.id }
  package var kind: IndexKind { record.kind }

  init(_ record: StoredIndex, of properties: [StoredProperty]) {
    self.record = record
    self.properties = record.propertyIDs.compactMap { id in properties.first { $0.id == id } }
  }

  package var description: IndexDescription {
    IndexDescription(kind: kind, propertyNames: properties.map(\.name))
  }

  func contains(_ property: StoredProperty) -> Bool { record.propertyIDs.contains(property.id) }
}

extension StoredClass {
  /// Returns the index that a model describes, or nil if the class has no such index.
  func index(_ description: IndexDescription) -> StoredIndex? {
    let names = description.propertyNames
    return indexes.first { index in
      index.kind == description.kind
        && index.propertyIDs.map { id in properties.first { $0.id == id }?.name } == names
    }
  }
}
