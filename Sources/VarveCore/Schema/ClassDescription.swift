package import VarveEncoding

/// One class as the program's model declares it, with its properties in declaration order.
///
/// A description is made once per class and process and has a number of its own, so that stores can
/// keep their data about it in an array.
package final class ClassDescription: Sendable {
  package let name: String
  package let properties: [PropertyDescription]
  package let isEmbedded: Bool
  /// The compound, unique and full-text indexes.
  package let indexes: [IndexDescription]
  /// Whether the class was made from a class stored in a file, and is not declared by the program.
  /// Using it does not register it.
  package let isDynamic: Bool
  /// A dense number, unique in the process.
  package let modelIndex: Int
  /// A 128-bit hash of the schema of the class.
  package let hash: SchemaHash
  /// The index of the primary key in `properties`.
  package let primaryKeySlot: Int?
  /// Whether an object whose primary key is 0 gets the next key when it is added.
  package let generatesKeys: Bool
  /// The indices of the properties with a single mixed value.
  package let mixedSlots: [Int]

  /// Returns the classes that properties link to. Called only when they are needed.
  private let linkedClasses: @Sendable () -> [ClassDescription]
  /// Returns the class with a name that the same file stores. Always nil for a class that the
  /// program declares.
  private let classOfFile: @Sendable (String) -> ClassDescription?
  /// The indices of the properties by their declared names; see ``knownSlot(named:)``.
  let slotByName: [String: Int]
  /// The faults found when the declaration was read.
  private let declarationFaults: [String]

  package init(
    name: String, properties: [PropertyDescription], isEmbedded: Bool, modelIndex: Int,
    isDynamic: Bool = false, indexes: [IndexDescription] = [],
    declarationFaults: [String] = [],
    linkedClasses: @escaping @Sendable () -> [ClassDescription] = { [] },
    classOfFile: @escaping @Sendable (String) -> ClassDescription? = { _ in nil }
  ) {
    self.linkedClasses = linkedClasses
    self.classOfFile = classOfFile
    self.declarationFaults = declarationFaults
    self.name = name
    self.properties = properties
    slotByName = Dictionary(
      properties.indices.map { (properties[$0].alias, $0) },
      uniquingKeysWith: { first, _ in first })
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
    if !isDynamic { UsedClasses.insert(self) }
  }

  /// The class in the form that the schema hash covers.
  package var hashed: HashedClass {
    HashedClass(name: name, isEmbedded: isEmbedded, properties: properties, indexes: indexes)
  }

  /// Returns the class and all classes that it links to, directly or indirectly.
  package func closure() -> [ClassDescription] {
    var found: [ClassDescription] = [self]
    var seen: Set<Int> = [modelIndex]
    var index = 0
    while index < found.count {
      for linked in found[index].linkedClasses() where seen.insert(linked.modelIndex).inserted {
        found.append(linked)
      }
      index += 1
    }
    return found
  }

  /// Returns the class with a name, which may link to this class; nil if neither the file nor the
  /// program has such a class.
  func linkingClass(named className: String) -> ClassDescription? {
    closure().first { $0.name == className } ?? classOfFile(className)
      ?? UsedClasses.named(className)
  }

  /// Returns the class that a stored property links to, or nil for a property without links.
  func linkedClass(of property: PropertyDescription) -> ClassDescription? {
    guard property.isLink else { return nil }
    return linkedClasses().first { $0.name == property.targetClassName }
  }

  /// Returns the class that the property at a slot links to, or nil for a property without links.
  package func linkedClass(ofSlot slot: Int) -> ClassDescription? {
    linkedClass(of: properties[slot])
  }

  /// Returns the class of the objects that a property contains, or that link to this one through
  /// it; nil for a property of values.
  func targetClass(of property: PropertyDescription) -> ClassDescription? {
    guard property.kind.type == .link else { return nil }
    return linkedClasses().first { $0.name == property.targetClassName }
  }

  /// Whether the primary key is the object id itself: a non-optional integer.
  package var hasIntegerPrimaryKey: Bool {
    guard let primaryKeySlot else { return false }
    return properties[primaryKeySlot].kind.isIntegerKey
  }

  /// Returns every fault of the declaration, as sentences with the names of class and property;
  /// empty for a valid declaration.
  ///
  /// `knownClasses`: The descriptions that links may refer to, by name.
  package func faults(knownClasses: [String: ClassDescription]) -> [String] {
    var faults = declarationFaults
    if name.isEmpty || name.utf8.count > 200 {
      faults.append("Class name '\(name)' must have 1 to 200 bytes.")
    }
    if name.utf8.contains(0) { faults.append("Class name '\(name.printable)' contains a NUL.") }
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
    let subject = "Property '\(name).\(property.name.printable)'"
    var faults: [String] = []
    if property.name.isEmpty { faults.append("\(subject) has no name.") }
    if property.name.utf8.contains(0) { faults.append("\(subject) has a NUL in its name.") }
    if property.isPrimaryKey || property.isIndexed {
      if property.kind.collection != .none || !property.kind.type.isIndexable {
        faults.append("\(subject) of type \(property.typeName) cannot be indexed.")
      }
    }
    let unsuited: [PropertyType] = [
      .bool, .float, .double, .data, .date, .decimal128, .mixed,
    ]
    if property.isPrimaryKey, unsuited.contains(property.kind.type) {
      faults.append("\(subject) of type \(property.typeName) cannot be a primary key.")
    }
    if property.isAutoIncremented, !property.isPrimaryKey || !property.kind.isIntegerKey {
      faults.append(
        "\(subject) of type \(property.typeName) cannot be auto-incremented: "
          + "only a non-optional integer primary key can.")
    }
    if let origin = property.originPropertyName {
      guard let target = property.targetClassName.flatMap({ knownClasses[$0] }) else {
        return faults + [
          "\(subject) names the unknown origin class '\(property.targetClassName ?? "")'."
        ]
      }
      let source = target.properties.first { $0.name == origin }
      if source == nil {
        faults.append("\(subject) names the unknown origin property '\(target.name).\(origin)'.")
      } else if source?.isLink != true || source?.targetClassName != name {
        faults.append(
          "\(subject) names '\(target.name).\(origin)', which does not link to '\(name)'.")
      }
    } else if property.kind.type == .link {
      if property.kind.collection == .list, property.kind.isNullable {
        faults.append(
          "\(subject): a list of objects cannot contain nil; deleted objects are removed from it.")
      }
      if property.kind.collection == .dictionary, !property.kind.isNullable {
        faults.append(
          "\(subject): the values of a map of objects must be optional, as in Map<String, Dog?>; "
            + "a deleted object leaves nil.")
      }
      if property.kind.collection == .set, linkedClass(of: property)?.isEmbedded == true {
        faults.append("\(subject): a set cannot contain embedded objects.")
      }
      if property.targetClassName.flatMap({ knownClasses[$0] }) == nil {
        faults.append("\(subject) links to the unknown class '\(property.targetClassName ?? "")'.")
      }
    }
    return faults
  }
}

extension PropertyKind {
  /// A non-optional integer of any width. As a primary key it is the object id itself.
  package var isIntegerKey: Bool {
    guard collection == .none, !isNullable else { return false }
    return switch type {
    case .int8, .int16, .int32, .int64: true
    default: false
    }
  }
}
