import VarveCore
import VarveEncoding
import VarveStorage

/// An object, or a part of one, in a version of a store.
enum Place {
  case object(ClassSchema, UInt64)
  case value(Value, StoredProperty)
  case collection(CollectionContent, StoredProperty)

  /// Follows the steps of a path, and verifies the checksums of what it reads.
  ///
  /// - Throws: ``ToolError`` for a step that does not exist; a `Failure` with `.corrupted`.
  /// - Complexity: One look-up a step; O(elements) in a collection.
  func following(_ path: ValuePath, in version: StoreVersion) throws -> Place {
    var place = self
    for step in path.steps { place = try place.following(step, in: version) }
    return place
  }

  private func following(_ step: ValuePath.Step, in version: StoreVersion) throws -> Place {
    switch self {
    case .value(.link(let classID, let id), _):
      guard let schema = version.schema.schema(ofClass: classID) else { break }
      return try Place.object(schema, id).following(step, in: version)
    case .value(.nested(let kind, let slot), let property):
      return try Place.part(
        of: CollectionContent(slot), property.nested(kind), isNested: true, step, version)
    case .value(.null, let property):
      throw ToolError("The path leads through a value that is null.\n  \(property.name.printable)")
    case .value(_, let property):
      throw ToolError(
        "The path leads through a value that has no parts.\n  \(property.name.printable)")
    case .collection(let content, let property):
      return try Place.part(of: content, property, isNested: false, step, version)
    case .object(let schema, let id):
      guard case .name(let name) = step else { break }
      let property = try schema.requireProperty(name)
      guard let row = try version.snapshot.verifiedRow(schema, id) else { break }
      guard property.kind.collection == .none else {
        return .collection(row.content(of: property), property)
      }
      return .value(
        try version.snapshot.comparedValue(of: row, id, property, isVerified: true), property)
    }
    throw ToolError("The path does not exist.")
  }

  private static func part(
    of content: CollectionContent, _ property: StoredProperty, isNested: Bool,
    _ step: ValuePath.Step, _ version: StoreVersion
  ) throws -> Place {
    let snapshot = version.snapshot
    let element = property.element
    switch (property.kind.collection, step) {
    case (.dictionary, .name(let key)):
      let walk = try DictionaryWalk(content, property, in: snapshot, isVerified: true)
      while let entry = try walk.next() {
        if entry.key.utf8.elementsEqual(key.utf8) { return .value(entry.value, element) }
      }
      throw ToolError(
        "The map has no such key.\n  \(property.name.printable)\n  \(key.printable)")
    case (.list, .index(let index)):
      let list = ListDirectory(
        content, isNested: isNested, snapshot: snapshot, format: ListElementFormat(property.kind))
      guard (0..<list.count).contains(index) else { throw outside(index, list.count, property) }
      // A list in a row has the checksum of the row.
      if content.id != 0 {
        let check = ListTreeCheck.run(content, format: list.format, in: snapshot)
        guard !check.problems.contains(where: \.kind.isDamage) else {
          throw Failure(.corrupted, "A list is damaged.", propertyName: property.name)
        }
      }
      if list.format.storesBits {
        return .value(property.elementValue(bits: list.bits(at: index)), element)
      }
      guard let bytes = list.bytes(at: index) else { return .value(.null, element) }
      let stored = try Failure.decoding(
        "A list is damaged.", propertyName: property.name, try property.storedElement(bytes))
      return .value(
        try snapshot.resolve(stored, property: property, isVerified: true), element)
    case (.set, .index(let index)):
      guard (0..<content.count).contains(index) else {
        throw outside(index, content.count, property)
      }
      let walk = SetWalk(content, property, in: snapshot, isVerified: true)
      var passed = 0
      while let value = try walk.next() {
        if passed == index { return .value(value, element) }
        passed += 1
      }
      throw outside(index, passed, property)
    case (.dictionary, .index), (.list, .name), (.set, .name), (.none, _):
      let example = property.kind.collection == .dictionary ? "[\"key\"]" : "[0]"
      throw ToolError(
        "The path needs a part of the collection here, such as "
          + "\(property.name.printable)\(example).")
    }
  }

  private static func outside(
    _ index: Int, _ count: Int, _ property: StoredProperty
  ) -> ToolError {
    ToolError(
      "The index is out of bounds.\n  \(property.name.printable)[\(index)]\n"
        + "  \(Quantity.count(count, "element"))")
  }
}

extension StoredProperty {
  /// The property of a single element of the collection.
  fileprivate var element: StoredProperty {
    var property = self
    property.kind = PropertyKind(type: kind.type, isNullable: kind.isNullable)
    return property
  }
}
