import Varve
import VarveCore
import VarveEncoding
import VarveJSONLines
import VarveStorage

/// The difference between the newest versions of two files.
///
/// Objects are compared by their primary keys, or by their ids if their class has no primary key
/// and one file is a copy of the other. Links are equal when they lead to the same keys. Embedded
/// objects belong to their parents.
struct StoreDifference {
  /// A class or property that is not the same in both files.
  struct SchemaChange: Equatable {
    var className: String
    /// Nil for the class itself.
    var propertyName: String?
    /// The type of the property in each file, with its key, index and default; for a class “class”
    /// or “embedded class”. Nil where it does not exist.
    var old: String?
    var new: String?
  }

  private let old: StoreVersion
  private let new: StoreVersion
  private let classNames: [String]

  /// - Parameter classNames: The compared classes; empty for all.
  /// - Throws: ``ToolError`` for a class that neither file has.
  init(
    from old: StoreVersion, to new: StoreVersion, _ classNames: [String]
  ) throws(ToolError) {
    self.old = old
    self.new = new
    for name in classNames where new.schema.schema(named: name) == nil {
      _ = try old.schema.requireClass(name)
    }
    let all = (old.schema.classes + new.schema.classes).map(\.name)
    self.classNames = Set(classNames.isEmpty ? all : classNames).sorted()
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
  ///   `Failure` with `.corrupted`; any error thrown by `body` or `progress`. `body` is not called
  ///   before all classes have been found comparable.
  /// - Complexity: O(objects); O(log n) for each object with a primary key that is not an integer.
  func forEachObject(
    _ body: (ObjectReport) throws -> Void, _ progress: (_ done: Int, _ total: Int) throws -> Void
  ) throws {
    let classes = classNames.map { (old.objects(of: $0), new.objects(of: $0)) }
    for case (let old?, let new?) in classes { try check(old, new) }
    let total = classes.reduce(0) { $0 + ($1.0?.count ?? 0) + ($1.1?.count ?? 0) }
    var done = 0
    func advance() throws {
      done += 1
      if done % 1024 == 0 { try progress(done, total) }
    }
    for (oldObjects, newObjects) in classes {
      try oldObjects?.forEachID { (oldObjects, id) in
        try advance()
        guard let newObjects, let other = try newObjects.counterpart(of: id, in: oldObjects) else {
          return try body(try oldObjects.report(.deleted, id))
        }
        if let report = try newObjects.modification(of: other, from: id, in: oldObjects) {
          try body(report)
        }
      }
      try newObjects?.forEachID { (newObjects, id) in
        try advance()
        guard try oldObjects?.counterpart(of: id, in: newObjects) == nil else { return }
        try body(try newObjects.report(.inserted, id))
      }
    }
  }

  private func check(_ old: ComparedObjects, _ new: ComparedObjects) throws(ToolError) {
    let (oldKey, newKey) = (old.schema.primaryKey, new.schema.primaryKey)
    // All objects of the other file differ then.
    if old.count == 0 || new.count == 0 { return }
    guard oldKey?.name == newKey?.name, oldKey?.kind == newKey?.kind else {
      throw ToolError(
        "The class has another primary key in the other file.\n  \(old.schema.name.printable)")
    }
    if oldKey == nil, self.old.store.fileKey != self.new.store.fileKey {
      throw ToolError(
        "The class has no primary key, and neither file is a copy of the other; choose others with --class.\n"
          + "  \(old.schema.name.printable)")
    }
    guard self.old.store.fileKey != self.new.store.fileKey else { return }
    if let (owner, property) = new.schema.linkByID(in: self.new.schema) {
      throw ToolError(
        "The property links to objects without primary keys, and neither file is a copy of the other.\n"
          + "  \(owner.name.printable).\(property.name.printable)")
    }
  }
}

extension ClassSchema {
  /// Returns a property, of this class or of its embedded objects, that links to a class without a
  /// primary key.
  fileprivate func linkByID(in file: FileSchema) -> (ClassSchema, StoredProperty)? {
    var (pending, seen): ([ClassSchema], Set<UInt32>) = ([self], [id])
    while let schema = pending.popLast() {
      for property in schema.properties where property.kind.type == .link {
        guard let target = property.targetClassID.flatMap({ file.schema(ofClass: $0) }) else {
          continue
        }
        if target.record.isEmbedded {
          if seen.insert(target.id).inserted { pending.append(target) }
        } else if target.primaryKey == nil {
          return (schema, property)
        }
      }
    }
    return nil
  }
}

extension StoreVersion {
  /// The objects of a class; nil for one that does not exist, or is embedded.
  fileprivate func objects(of name: String) -> ComparedObjects? {
    guard let schema = schema.schema(named: name), !schema.record.isEmbedded else { return nil }
    return ComparedObjects(schema, in: self)
  }
}

extension FileSchema {
  /// The types of the properties of a class with their keys, indexes and defaults, by their names,
  /// and the compound, unique and full-text indexes.
  fileprivate func types(of schema: ClassSchema) -> [String: String] {
    let properties = schema.properties.map { property in
      let target = property.targetClassID.flatMap { self.schema(ofClass: $0)?.name }
      let notes: [String?] = [
        property.kind.typeName(target: target), property.isPrimaryKey ? "primary key" : nil,
        property.isAutoIncremented ? "auto-incremented" : nil,
        property.indexID != 0 && !property.isPrimaryKey ? "indexed" : nil,
        property.mayLackDefault
          ? "default of each object" : property.addedConstant.map { "default \($0.text)" },
      ]
      return (property.name, notes.compactMap(\.self).joined(separator: ", "))
    }
    let indexes = schema.indexes.map { ($0.description.text, "present") }
    return Dictionary(properties + indexes, uniquingKeysWith: { first, _ in first })
  }
}
