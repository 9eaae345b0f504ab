import VarveEncoding
import VarveStorage

/// The objects that lack the default of a property, because an older release inserted them.
extension Snapshot {
  /// Returns the ids of the objects that lack a default, in ascending order.
  ///
  /// - Parameters:
  ///   - id: The first object of a class whose object ids ascend.
  ///   - watch: Ends the search early; not all objects are then returned.
  /// - Complexity: O(objects from `id`); all objects of a class with an integer primary key.
  func objectsLackingDefaults(
    _ model: ClassDescription, _ file: FileSchema, from id: UInt64, _ watch: WorkWatch
  ) throws(Failure) -> [UInt64] {
    guard let schema = file.schema(named: model.name) else { return [] }
    let properties = schema.propertiesLackingDefaults(in: [model])
    guard !properties.isEmpty else { return [] }
    var found: [UInt64] = []
    var cursor = self.cursor(schema.table)
    var isPresent = cursor.seek(id: schema.hasIntegerPrimaryKey ? 0 : id)
    while isPresent, !watch.isStopped {
      if try schema.lacksDefault(cursor.value, properties) { found.append(cursor.id) }
      isPresent = cursor.next()
    }
    return found
  }

  /// Whether an object lacks a default that no class of the program declares; true if the watch ends the
  /// search.
  ///
  /// - Complexity: O(1) if the newest object of each class lacks one; O(objects) if none does.
  func lacksDefaults(
    unknownTo models: [ClassDescription], _ file: FileSchema, _ watch: WorkWatch
  ) throws(Failure) -> Bool {
    for schema in file.classes where schema.mayLackDefaults {
      let known = schema.propertiesLackingDefaults(in: models.filter { $0.name == schema.name })
      let others = schema.properties.filter { property in
        property.mayLackDefault && !known.contains { $0.id == property.id }
      }
      guard !others.isEmpty else { continue }
      var cursor = self.cursor(schema.table)
      // The program that does not declare the property has inserted the newest objects.
      var isPresent = cursor.seekLast()
      while isPresent {
        if watch.isStopped { return true }
        if try schema.lacksDefault(cursor.value, others) { return true }
        isPresent = cursor.previous()
      }
    }
    return false
  }
}

extension ClassSchema {
  /// The properties that may lack their defaults and that a class of the program declares.
  fileprivate func propertiesLackingDefaults(in models: [ClassDescription]) -> [StoredProperty] {
    properties.filter { property in
      property.mayLackDefault
        && models.contains { $0.properties.contains { $0.name == property.name } }
    }
  }

  /// Returns whether a row lacks the default of one of the properties.
  fileprivate func lacksDefault(
    _ row: UnsafeRawBufferPointer, _ properties: [StoredProperty]
  ) throws(Failure) -> Bool {
    do throws(FormatError) {
      let row = try reader(for: row)
      for property in properties {
        guard let field = row.layout.field(forProperty: property.id) else { return true }
        if case .value(let value) = try row.value(field), property.lacksDefault(value) {
          return true
        }
      }
      return false
    } catch {
      throw Failure(error, message: "A row is damaged.", className: name)
    }
  }
}
