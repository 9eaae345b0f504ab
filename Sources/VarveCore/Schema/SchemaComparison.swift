import VarveEncoding

/// The differences between the program's model of one class and the class that the file stores.
package struct SchemaComparison: Sendable {
  /// Properties that are not in the file yet.
  package var added: [PropertyDescription] = []
  /// Properties of the file that get the constants of their declared defaults.
  package var restated: [PropertyDescription] = []
  /// Properties of the file that get an index.
  package var newlyIndexed: [PropertyDescription] = []
  /// Whether the primary keys of new objects are generated from now on.
  package var beginsGeneratingKeys = false
  /// Indexes of the class that are not in the file yet.
  package var addedIndexes: [IndexDescription] = []
  /// Differences that cannot be applied without a migration, as sentences.
  package var conflicts: [String] = []

  package var isEmpty: Bool {
    added.isEmpty && newlyIndexed.isEmpty && addedIndexes.isEmpty && conflicts.isEmpty
      && !beginsGeneratingKeys && restated.isEmpty
  }

  /// Compares a model class with the stored one.
  ///
  /// Properties that only the file has are not a difference: another process may have added them,
  /// and this process carries them over. `schema`: Contains the names of the classes that stored
  /// links point to.
  package init(model: ClassDescription, stored: ClassSchema, in schema: FileSchema) {
    for property in model.properties where property.isStored {
      guard let old = stored.property(named: property.name) else {
        if property.isPrimaryKey {
          conflicts.append("Primary key \(Self.name(of: property, in: model)) has been added.")
        } else if property.hasContentDefault {
          conflicts.append(
            "Property \(Self.name(of: property, in: model)) has been added, and objects of older releases "
              + "would lack its default: raise the schema version, or declare no default.")
        } else {
          added.append(property)
        }
        continue
      }
      let oldTarget = old.kind.type == .link ? schema.schema(ofClass: old.linkedClassID)?.name : nil
      if old.kind != property.kind || oldTarget != property.targetClassName {
        conflicts.append(
          "Property \(Self.name(of: property, in: model)) has been changed from "
            + "'\(old.kind.typeName(target: oldTarget))' to '\(property.typeName)'.")
      }
      if old.isPrimaryKey != property.isPrimaryKey {
        conflicts.append(
          property.isPrimaryKey
            ? "Property \(Self.name(of: property, in: model)) has been made the primary key."
            : "Property \(Self.name(of: property, in: model)) is no longer the primary key.")
      } else if property.isIndexed, old.indexID == 0, !old.isPrimaryKey {
        newlyIndexed.append(property)
      }
    }
    beginsGeneratingKeys = model.generatesKeys && !stored.generatesKeys
    addedIndexes = model.indexes.filter { stored.record.index($0) == nil }
    if let key = stored.primaryKey, !model.properties.contains(where: { $0.name == key.name }) {
      conflicts.append("Primary key '\(model.name).\(key.name)' has been removed.")
    }
    if stored.record.isEmbedded != model.isEmbedded {
      conflicts.append(
        "Class '\(model.name)' has been changed \(model.isEmbedded ? "to" : "from") embedded.")
    }
  }

  /// The declared name of a property, and the stored one if that is another.
  private static func name(of property: PropertyDescription, in model: ClassDescription) -> String {
    let name = "'\(model.name).\(property.alias)'"
    return property.alias == property.name ? name : "\(name), stored as '\(property.name)',"
  }
}
