import Varve

/// The parts of a class's schema that tests examine, for classes declared with or without `@Model`.
struct ModelProbe {
  let properties: [PropertyDescriptor]

  init(_ model: ObjectBase.Type) {
    properties = Varve._$propertyList(model)
  }

  var names: [String] { properties.map(\.name) }

  var slots: [Int] { properties.map(\.slot) }

  var primaryKeys: [String] { properties.filter(\.isPrimaryKey).map(\.name) }

  var indexed: [String] { properties.filter(\.isIndexed).map(\.name) }

  var constantDefaults: [String] { properties.filter(\.isConstantDefault).map(\.name) }

  var origins: [String: String] {
    var result: [String: String] = [:]
    for property in properties { result[property.name] = property.originProperty }
    return result
  }

  func keyPath(_ name: String) -> AnyKeyPath? {
    properties.first { $0.name == name }?.keyPath
  }
}
