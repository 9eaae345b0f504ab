import VarveCore
import VarveEncoding

/// The properties of a class after its class methods (`primaryKey()`, `propertiesMapping()`, …)
/// have been applied.
struct ClassDeclarations {
  private let type: ObjectBase.Type
  private(set) var properties: [PropertyDescriptor]
  /// The errors in the declarations, such as the names of unknown properties. Each is a sentence.
  private(set) var faults: [String] = []
  /// The compound, unique and full-text indexes.
  private(set) var indexes: [IndexDescription] = []

  /// Calls each of the class methods once.
  init(_ type: ObjectBase.Type, _ properties: [PropertyDescriptor]) {
    self.type = type
    self.properties = properties
    for position in properties.indices { resolveOrigin(position) }
    map(type.propertiesMapping())
    if let name = type.primaryKey(), let position = position(of: name, in: "primaryKey()") {
      for other in properties.indices where other != position && properties[other].isPrimaryKey {
        faults.append(
          "Class '\(type)' has the primary key '\(properties[other].name)', but primaryKey() names "
            + "'\(name)'.")
      }
      self.properties[position].isPrimaryKey = true
    }
    for name in type.indexedProperties() {
      guard let position = position(of: name, in: "indexedProperties()") else { continue }
      self.properties[position].isIndexed = true
    }
    for name in type.ignoredProperties() where properties.contains(where: { $0.name == name }) {
      faults.append(
        "Property '\(type).\(name)' is persisted, but ignoredProperties() names it.")
    }
    for property in self.properties {
      let names = [property.columnName]
      if property.isUnique { declare(.unique, names) }
      if property.isFullTextIndexed { declare(.fullText, names) }
    }
    for index in type._$indexes() {
      let positions = index.properties.compactMap { position(of: $0, in: "the class's '@Model'") }
      declare(index.isUnique ? .unique : .ordered, positions.map { self.properties[$0].columnName })
    }
    setDefaults(type.defaultPropertyValues())
    for property in properties where !property.type.canBeNothing {
      faults.append(
        "Property '\(type).\(property.name)' has no default: make it optional, or make its type "
          + "accept 0, \"\", or the zero value of the stored type.")
    }
    for property in self.properties where property.isAutoIncremented && !property.startsUnassigned {
      faults.append(
        "Property '\(type).\(property.name)' is an auto-incremented primary key: its default must be "
          + "0.")
    }
  }

  private mutating func declare(_ kind: IndexKind, _ names: [String]) {
    indexes.append(IndexDescription(kind: kind, propertyNames: names))
  }

  private mutating func position(of name: String, in method: String) -> Int? {
    if let position = properties.firstIndex(where: { $0.name == name }) { return position }
    faults.append("Class '\(type)' has no persisted property '\(name)', which \(method) names.")
    return nil
  }

  private mutating func map(_ mapping: [String: String]) {
    for (name, columnName) in mapping.sorted(by: { $0.key < $1.key }) {
      guard let position = position(of: name, in: "propertiesMapping()") else { continue }
      if columnName.isEmpty {
        faults.append("Property '\(type).\(name)' is mapped to an empty name.")
      } else {
        properties[position].columnName = columnName
      }
    }
  }

  /// Replaces the origin property of linking objects, declared by its Swift name, with the stored
  /// name.
  private mutating func resolveOrigin(_ position: Int) {
    guard let origin = properties[position].originProperty,
      let target = properties[position].type.target
    else { return }
    properties[position].originProperty = target.propertiesMapping()[origin] ?? origin
  }

  private mutating func setDefaults(_ values: [String: Any]) {
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      guard let position = position(of: name, in: "defaultPropertyValues()") else { continue }
      let property = properties[position]
      guard property.defaultBox(of: value) != nil else {
        faults.append(
          "Property '\(type).\(name)' of type \(property.propertyDescription.typeName) does not "
            + "accept the default \(value) of type \(Swift.type(of: value)).")
        continue
      }
      let (type, declared) = (type, property.makeDefault)
      properties[position].hasDefault = true
      properties[position].isConstantDefault = false
      properties[position].makeDefault = {
        // Evaluated for each object: the default may differ each time, for example an identifier.
        type.defaultPropertyValues()[name].flatMap { property.defaultBox(of: $0) } ?? declared()
      }
    }
  }
}

extension PropertyDescriptor {
  /// Whether a new object has 0 in this property. False for an enumeration, which has cases and no
  /// numbers.
  fileprivate var startsUnassigned: Bool {
    guard type.canBeNothing, !(valueType is any PersistableEnum.Type),
      !hasDefault || isConstantDefault
    else { return false }
    return makeDefault().value == .int(0)
  }

  /// Converts a value of any type to a default of the property; returns nil when it does not fit.
  /// Only single values that are not objects can have such defaults.
  fileprivate func defaultBox(of value: Any) -> _Boxed? {
    let kind = type.kind
    guard originProperty == nil, kind.collection == .none, kind.type != .link else { return nil }
    let value = Value.unwrapped(value)
    if Value.isNull(value) { return kind.isNullable ? .null : nil }
    guard let stored = Value.converting(value, to: kind.type), kind.accepts(stored),
      type.isValid?(stored) ?? true
    else { return nil }
    return _Boxed(stored)
  }
}

extension _PropertyType {
  /// Whether a property of this type has a value before one is set.
  var canBeNothing: Bool { kind.isNullable || hasNothing?() ?? true }
}
