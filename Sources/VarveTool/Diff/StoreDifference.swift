import Varve
import VarveCore
import VarveEncoding
import VarveJSONLines
import VarveStorage

/// The difference between the newest versions of two files.
///
/// Objects are compared by their primary keys, or by their ids if their class has no primary key and
/// one file is a copy of the other. Links are equal when they lead to the same keys. Embedded objects
/// belong to their parents.
struct StoreDifference {
  /// A class or property that is not the same in both files.
  struct SchemaChange: Equatable {
    var className: String
    /// Nil for the class itself.
    var propertyName: String?
    /// The type of the property in each file; for a class “class” or “embedded class”. Nil where it
    /// does not exist.
    var old: String?
    var new: String?
  }

  private let old: StoreVersion
  private let new: StoreVersion

  init(from old: StoreVersion, to new: StoreVersion) {
    self.old = old
    self.new = new
  }

  /// Returns the classes and properties that differ.
  func schemaChanges() -> [SchemaChange] {
    var changes: [SchemaChange] = []
    for name in classNames {
      let (before, after) = (old.schema.schema(named: name), new.schema.schema(named: name))
      let kinds = [before, after].map { schema in
        schema.map { $0.record.isEmbedded ? "embedded class" : "class" }
      }
      if kinds[0] != kinds[1] {
        changes.append(SchemaChange(className: name, old: kinds[0], new: kinds[1]))
      }
      guard let first = before, let second = after else { continue }
      let (oldTypes, newTypes) = (old.schema.types(of: first), new.schema.types(of: second))
      for property in Set(oldTypes.keys).union(newTypes.keys).sorted()
      where oldTypes[property] != newTypes[property] {
        changes.append(
          SchemaChange(
            className: name, propertyName: property, old: oldTypes[property],
            new: newTypes[property]))
      }
    }
    return changes
  }

  /// Reports each object that differs.
  ///
  /// - Throws: ``ToolError`` for objects without primary keys in files of different origin; a
  ///   `Failure` with `.corrupted`; any error thrown by `body`.
  /// - Complexity: O(objects); O(log n) for each object with a primary key that is not an integer.
  func forEachObject(_ body: (ObjectReport) throws -> Void) throws {
    for name in classNames {
      let before = old.schema.schema(named: name).flatMap { $0.record.isEmbedded ? nil : $0 }
      let after = new.schema.schema(named: name).flatMap { $0.record.isEmbedded ? nil : $0 }
      let oldObjects = before.map { ComparedObjects($0, in: old) }
      let newObjects = after.map { ComparedObjects($0, in: new) }
      if let oldObjects, let newObjects { try check(oldObjects, newObjects) }
      try oldObjects?.forEachID { (oldObjects, id) in
        guard let newObjects, let other = try newObjects.counterpart(of: id, in: oldObjects) else {
          return try body(try oldObjects.report(.deleted, id))
        }
        if let report = try newObjects.modification(of: other, from: id, in: oldObjects) {
          try body(report)
        }
      }
      try newObjects?.forEachID { (newObjects, id) in
        guard try oldObjects?.counterpart(of: id, in: newObjects) == nil else { return }
        try body(try newObjects.report(.inserted, id))
      }
    }
  }

  private var classNames: [String] {
    Set((old.schema.classes + new.schema.classes).map(\.name)).sorted()
  }

  private func check(_ old: ComparedObjects, _ new: ComparedObjects) throws(ToolError) {
    let (oldKey, newKey) = (old.schema.primaryKey, new.schema.primaryKey)
    guard oldKey?.name == newKey?.name, oldKey?.kind == newKey?.kind else {
      throw ToolError(
        "The class has another primary key in the other file.\n  \(old.schema.name.printable)")
    }
    if oldKey == nil, self.old.store.fileKey != self.new.store.fileKey {
      throw ToolError(
        "The class has no primary key, and neither file is a copy of the other.\n"
          + "  \(old.schema.name.printable)")
    }
  }
}

extension FileSchema {
  /// The types of the properties of a class, by their names.
  fileprivate func types(of schema: ClassSchema) -> [String: String] {
    Dictionary(
      schema.properties.map { property in
        let target = property.targetClassID.flatMap { self.schema(ofClass: $0)?.name }
        return (property.name, property.kind.typeName(target: target))
      }, uniquingKeysWith: { first, _ in first })
  }
}
