package import VarveEncoding

extension FileSchema {
  /// Returns a class and all classes that are connected to it by links in either direction, directly
  /// or indirectly, in the order of their names, but the class first.
  ///
  /// - Complexity: O(classes + links), and a sort of the result.
  package func classes(connectedTo schema: ClassSchema) -> [ClassSchema] {
    var neighbors: [UInt32: [ClassSchema]] = [:]
    for origin in classes {
      for property in origin.properties where property.linkedClassID != 0 {
        guard let target = self.schema(ofClass: property.linkedClassID) else { continue }
        neighbors[origin.id, default: []].append(target)
        neighbors[target.id, default: []].append(origin)
      }
    }
    var found = [schema]
    var seen: Set<UInt32> = [schema.id]
    var index = 0
    while index < found.count {
      for neighbor in neighbors[found[index].id] ?? [] where seen.insert(neighbor.id).inserted {
        found.append(neighbor)
      }
      index += 1
    }
    return [schema] + found.dropFirst().sorted { $0.name < $1.name }
  }
}

extension ClassSchema {
  /// Returns the class in the form that the schema hash covers.
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
  /// Whether a migration keeps the property until its end, under a name that no program uses.
  package var isHidden: Bool { name.utf8.first == 0 }

  /// Returns the name of a property while it is hidden.
  static func hiddenName(_ id: UInt32) -> String { "\0\(id)" }
}

extension Failure {
  /// The failure of using a class that is not in the file.
  package static func unknownClass(_ name: String) -> Failure {
    Failure(.unknownClass, "The file has no such class.", className: name)
  }

  /// The failure of using a property that the class does not have.
  package static func unknownProperty(
    _ name: String, _ className: String, value: String? = nil
  ) -> Failure {
    Failure(
      .unknownProperty, "The class has no such property.", className: className,
      propertyName: name, value: value)
  }

  /// The failure of using an object that does not exist any more.
  package static func invalidatedObject(
    _ className: String, _ propertyName: String? = nil
  ) -> Failure {
    Failure(
      .invalidatedObject, "The object has been deleted or invalidated.", className: className,
      propertyName: propertyName)
  }
}
