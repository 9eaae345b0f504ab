import VarveCore
import VarveEncoding

/// The properties of a class as its class methods (`primaryKey()`, `propertiesMapping()`, …) make them.
struct ClassDeclarations {
  private let type: ObjectBase.Type
  private(set) var properties: [PropertyDescriptor]
  /// What the methods say of properties that there are not, and other mistakes: each a sentence.
  private(set) var faults: [String] = []
  /// The indexes over several properties, the unique and the full-text ones.
  private(set) var indexes: [IndexDescription] = []

  /// Calls the methods of the class, each once.
  init(_ type: ObjectBase.Type, _ properties: [PropertyDescriptor]) {
    self.type = type
    self.properties = properties
    for place in properties.indices { resolveOrigin(place) }
    map(type.propertiesMapping())
    if let name = type.primaryKey(), let place = place(of: name, in: "primaryKey()") {
      for other in properties.indices where other != place && properties[other].isPrimaryKey {
        faults.append(
          "Class '\(type)' has the primary key '\(properties[other].name)', and primaryKey() names "
            + "'\(name)'.")
      }
      self.properties[place].isPrimaryKey = true
    }
    for name in type.indexedProperties() {
      guard let place = place(of: name, in: "indexedProperties()") else { continue }
      self.properties[place].isIndexed = true
    }
    for name in type.ignoredProperties() where properties.contains(where: { $0.name == name }) {
      faults.append(
        "Property '\(type).\(name)' is persisted, and ignoredProperties() names it: leave out one.")
    }
    for property in self.properties {
      let names = [property.columnName]
      if property.isUnique { declare(.unique, names) }
      if property.isFullTextIndexed { declare(.fullText, names) }
    }
    for index in type._$indexes() {
      let places = index.properties.compactMap { place(of: $0, in: "the class's '@Model'") }
      declare(index.isUnique ? .unique : .ordered, places.map { self.properties[$0].columnName })
    }
    setDefaults(type.defaultPropertyValues())
    for property in properties where !property.type.canBeNothing {
      faults.append(
        "Property '\(type).\(property.name)' needs a value that stands for nothing: make it optional, or "
          + "let its type take 0, \"\", or what is zero of the type that is stored.")
    }
    for property in self.properties where property.isAutoIncremented && !property.startsUnassigned {
      faults.append(
        "Property '\(type).\(property.name)' is auto-incremented and has another default than 0, which "
          + "stands for a primary key that is not assigned yet.")
    }
  }

  private mutating func declare(_ kind: IndexKind, _ names: [String]) {
    indexes.append(IndexDescription(kind: kind, propertyNames: names))
  }

  private mutating func place(of name: String, in method: String) -> Int? {
    if let place = properties.firstIndex(where: { $0.name == name }) { return place }
    faults.append("Class '\(type)' has no persisted property '\(name)', which \(method) names.")
    return nil
  }

  private mutating func map(_ mapping: [String: String]) {
    for (name, columnName) in mapping.sorted(by: { $0.key < $1.key }) {
      guard let place = place(of: name, in: "propertiesMapping()") else { continue }
      if columnName.isEmpty {
        faults.append("Property '\(type).\(name)' is mapped to an empty name.")
      } else {
        properties[place].columnName = columnName
      }
    }
  }

  /// Linking objects name the property as Swift calls it; it is looked for by the name that is stored.
  private mutating func resolveOrigin(_ place: Int) {
    guard let origin = properties[place].originProperty, let target = properties[place].type.target
    else { return }
    properties[place].originProperty = target.propertiesMapping()[origin] ?? origin
  }

  private mutating func setDefaults(_ values: [String: Any]) {
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      guard let place = place(of: name, in: "defaultPropertyValues()") else { continue }
      let property = properties[place]
      guard property.defaultBox(of: value) != nil else {
        faults.append(
          "Property '\(type).\(name)' of type \(property.propertyDescription.typeName) has no default "
            + "\(value) of type \(Swift.type(of: value)).")
        continue
      }
      let (type, declared) = (type, property.makeDefault)
      properties[place].hasDefault = true
      properties[place].isConstantDefault = false
      properties[place].makeDefault = {
        // Asked for anew: a default may be another one each time, as an identifier is.
        type.defaultPropertyValues()[name].flatMap { property.defaultBox(of: $0) } ?? declared()
      }
    }
  }
}

extension PropertyDescriptor {
  /// Whether a new object has 0 here. An enumeration has cases, not numbers.
  fileprivate var startsUnassigned: Bool {
    guard type.canBeNothing, !(valueType is any PersistableEnum.Type),
      !hasDefault || isConstantDefault
    else { return false }
    return makeDefault().value == .int(0)
  }

  /// A value of any type as a default of the property; nil when it does not fit. Only single values that are no
  /// objects have such defaults.
  fileprivate func defaultBox(of value: Any) -> _Boxed? {
    let kind = type.kind
    guard originProperty == nil, kind.collection == .none, kind.type != .link else { return nil }
    let value = Value.unwrapped(value)
    if Value.isNull(value) { return kind.isNullable ? .null : nil }
    guard let stored = Value.converting(value, to: kind.type), kind.accepts(stored),
      type.knows?(stored) ?? true
    else { return nil }
    return _Boxed(stored)
  }
}

extension _PropertyType {
  /// Whether a property of this type has a value where it has been given none.
  var canBeNothing: Bool { kind.isNullable || hasNothing?() ?? true }
}
