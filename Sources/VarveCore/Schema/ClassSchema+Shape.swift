package import VarveEncoding

extension FileSchema {
  /// A class and all that it links to, directly or not, in the order of its properties.
  package func closure(of schema: ClassSchema) -> [ClassSchema] {
    var found = [schema]
    var seen: Set<UInt32> = [schema.id]
    var place = 0
    while place < found.count {
      for property in found[place].properties where property.linkedClassID != 0 {
        guard let linked = self.schema(ofClass: property.linkedClassID) else { continue }
        if seen.insert(linked.id).inserted { found.append(linked) }
      }
      place += 1
    }
    return found
  }
}

extension ClassSchema {
  /// The class as the schema hash covers it.
  package func hashed(in file: FileSchema) -> HashedClass {
    HashedClass(
      name: name, isEmbedded: record.isEmbedded,
      properties: properties.map { property in
        PropertyDescription(
          name: property.name, kind: property.kind,
          targetClassName: file.schema(ofClass: property.linkedClassID)?.name,
          isPrimaryKey: property.isPrimaryKey, isAutoIncremented: property.isAutoIncremented,
          isIndexed: property.indexID != 0)
      },
      indexes: indexes.map(\.description))
  }
}

extension StoredProperty {
  /// Whether a migration keeps the property, until its end, under a name that no program gives.
  package var isHidden: Bool { name.utf8.first == 0 }

  /// The name of a property while it is hidden.
  static func hiddenName(_ id: UInt32) -> String { "\0\(id)" }
}

extension Failure {
  /// A class was named that the file does not have.
  package static func unknownClass(_ name: String) -> Failure {
    Failure(.unknownClass, "The file has no such class.", className: name)
  }

  /// A property was named that the class does not have.
  package static func unknownProperty(
    _ name: String, _ className: String, value: String? = nil
  ) -> Failure {
    Failure(
      .unknownProperty, "The class has no such property.", className: className,
      propertyName: name, value: value)
  }

  /// An object was used that does not exist any more.
  package static func invalidatedObject(
    _ className: String, _ propertyName: String? = nil
  ) -> Failure {
    Failure(
      .invalidatedObject, "The object has been deleted or invalidated.", className: className,
      propertyName: propertyName)
  }
}
