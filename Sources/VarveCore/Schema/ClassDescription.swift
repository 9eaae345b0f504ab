package import VarveEncoding

/// One class as the program's model declares it, with its properties in declaration order.
///
/// A description is made once in a process for each class and has a number of its own, so that
/// stores can keep what they know of it in an array.
package final class ClassDescription: Sendable {
  package let name: String
  package let properties: [PropertyDescription]
  package let isEmbedded: Bool
  /// The indexes over several properties, the unique and the full-text ones.
  package let indexes: [IndexDescription]
  /// Whether the class was made from what a file stores, and not declared by the program: using it does not
  /// register it.
  package let isDynamic: Bool
  /// A dense number, unique in the process.
  package let modelIndex: Int
  /// 128 bits over all that the schema says of the class.
  package let hash: SchemaHash
  /// The place of the primary key in `properties`.
  package let primaryKeySlot: Int?
  /// Whether an object whose primary key is 0 gets the next one when it is added.
  package let generatesKeys: Bool
  /// The places of the properties that hold one mixed value.
  package let mixedSlots: [Int]

  /// The classes that properties link to, asked for only when they are needed.
  private let linkedClasses: @Sendable () -> [ClassDescription]
  /// What was found wrong with the declaration before.
  private let declarationFaults: [String]

  package init(
    name: String, properties: [PropertyDescription], isEmbedded: Bool, modelIndex: Int,
    isDynamic: Bool = false, indexes: [IndexDescription] = [],
    declarationFaults: [String] = [],
    linkedClasses: @escaping @Sendable () -> [ClassDescription] = { [] }
  ) {
    self.linkedClasses = linkedClasses
    self.declarationFaults = declarationFaults
    self.name = name
    self.properties = properties
    self.isEmbedded = isEmbedded
    self.isDynamic = isDynamic
    self.indexes = indexes
    self.modelIndex = modelIndex
    primaryKeySlot = properties.firstIndex { $0.isPrimaryKey }
    generatesKeys = properties.contains {
      $0.isPrimaryKey && $0.isAutoIncremented && $0.kind.isIntegerKey
    }
    mixedSlots = properties.indices.filter {
      properties[$0].kind.type == .mixed && properties[$0].kind.collection == .none
    }
    hash = SchemaHash(of: [
      HashedClass(name: name, isEmbedded: isEmbedded, properties: properties, indexes: indexes)
    ])
    if !isDynamic { KnownClasses.insert(self) }
  }

  /// The class as the schema hash covers it.
  package var hashed: HashedClass {
    HashedClass(name: name, isEmbedded: isEmbedded, properties: properties, indexes: indexes)
  }

  /// The class and all that it links to, directly or not.
  package func closure() -> [ClassDescription] {
    var found: [ClassDescription] = [self]
    var seen: Set<Int> = [modelIndex]
    var place = 0
    while place < found.count {
      for linked in found[place].linkedClasses() where seen.insert(linked.modelIndex).inserted {
        found.append(linked)
      }
      place += 1
    }
    return found
  }

  /// The place of a property in `properties`, by its stored name or by what the program calls it.
  ///
  /// - Throws: `.unknownProperty`.
  package func slot(named name: String) throws(Failure) -> Int {
    if let slot = properties.firstIndex(where: { $0.name == name })
      ?? properties.firstIndex(where: { $0.alias == name })
    {
      return slot
    }
    throw .unknownProperty(name, self.name)
  }

  /// The class that a stored property links to; nil for a property that links to none.
  func linkedClass(of property: PropertyDescription) -> ClassDescription? {
    guard property.isLink else { return nil }
    return linkedClasses().first { $0.name == property.targetClassName }
  }

  /// The class that the property at a slot links to; nil for one that links to none.
  package func linkedClass(ofSlot slot: Int) -> ClassDescription? {
    linkedClass(of: properties[slot])
  }

  /// The class of the objects that a property holds, or that link to this one through it; nil for a property
  /// of values.
  func targetClass(of property: PropertyDescription) -> ClassDescription? {
    guard property.kind.type == .link else { return nil }
    return linkedClasses().first { $0.name == property.targetClassName }
  }

  /// Whether the primary key is the object id itself: a non-optional integer.
  package var hasIntegerPrimaryKey: Bool {
    guard let primaryKeySlot else { return false }
    return properties[primaryKeySlot].kind.isIntegerKey
  }

  /// Every fault of the declaration, in words that name class and property; empty when sound.
  ///
  /// `knownClasses`: the descriptions that links may point to, by name.
  package func faults(knownClasses: [String: ClassDescription]) -> [String] {
    var faults = declarationFaults
    if name.isEmpty || name.utf8.count > 200 {
      faults.append("Class name '\(name)' must have 1 to 200 bytes.")
    }
    if name.utf8.contains(0) { faults.append("Class name '\(name.printable)' has a NUL in it.") }
    if properties.filter(\.isPrimaryKey).count > 1 {
      faults.append("Class '\(name)' declares more than one primary key.")
    }
    if isEmbedded { faults += embeddingFaults() }
    faults += indexFaults()
    var seen: Set<String> = []
    for property in properties {
      if !seen.insert(property.name).inserted {
        faults.append("Class '\(name)' declares '\(property.name)' twice.")
      }
      faults += self.faults(of: property, knownClasses: knownClasses)
    }
    return faults
  }

  private func faults(
    of property: PropertyDescription, knownClasses: [String: ClassDescription]
  ) -> [String] {
    let place = "Property '\(name).\(property.name.printable)'"
    var faults: [String] = []
    if property.name.isEmpty { faults.append("\(place) has no name.") }
    if property.name.utf8.contains(0) { faults.append("\(place) has a NUL in its name.") }
    if property.isPrimaryKey || property.isIndexed {
      if property.kind.collection != .none || !property.kind.type.isIndexable {
        faults.append("\(place) of type \(property.typeName) cannot be indexed.")
      }
    }
    let unsuited: [PropertyType] = [
      .bool, .float, .double, .data, .date, .decimal128, .mixed,
    ]
    if property.isPrimaryKey, unsuited.contains(property.kind.type) {
      faults.append("\(place) of type \(property.typeName) cannot be a primary key.")
    }
    if property.isAutoIncremented, !property.isPrimaryKey || !property.kind.isIntegerKey {
      faults.append(
        "\(place) of type \(property.typeName) cannot be auto-incremented: only a primary key can "
          + "that is an integer and never nil.")
    }
    if let origin = property.originPropertyName {
      guard let target = property.targetClassName.flatMap({ knownClasses[$0] }) else {
        return faults + [
          "\(place) names the unknown origin class '\(property.targetClassName ?? "")'."
        ]
      }
      let source = target.properties.first { $0.name == origin }
      if source == nil {
        faults.append("\(place) names the unknown origin property '\(target.name).\(origin)'.")
      } else if source?.isLink != true || source?.targetClassName != name {
        faults.append(
          "\(place) names '\(target.name).\(origin)', which does not link to '\(name)'.")
      }
    } else if property.kind.type == .link {
      if property.kind.collection == .list, property.kind.isNullable {
        faults.append("\(place): a list of objects cannot hold nil; objects leave it when deleted.")
      }
      if property.kind.collection == .set, linkedClass(of: property)?.isEmbedded == true {
        faults.append("\(place): a set cannot hold embedded objects.")
      }
      if property.targetClassName.flatMap({ knownClasses[$0] }) == nil {
        faults.append("\(place) links to the unknown class '\(property.targetClassName ?? "")'.")
      }
    }
    return faults
  }
}

extension PropertyKind {
  /// A non-optional integer of any width: as a primary key it is the object id itself.
  package var isIntegerKey: Bool {
    guard collection == .none, !isNullable else { return false }
    return switch type {
    case .int8, .int16, .int32, .int64: true
    default: false
    }
  }
}
