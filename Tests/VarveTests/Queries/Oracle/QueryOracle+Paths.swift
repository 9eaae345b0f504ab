import VarveCore

extension QueryOracle {
  /// The values that a path leads to.
  func values(_ path: QueryPath, _ subject: OracleValue) -> [OracleValue] {
    // Nil is the result behind a null link.
    var subjects: [OracleValue?] = [subject]
    for step in path.steps { subjects = subjects.flatMap { next($0, step) } }
    return subjects.map { $0 ?? .null }
  }

  private func next(_ current: OracleValue?, _ step: QueryPath.Step) -> [OracleValue?] {
    switch step {
    case .property(let name):
      guard let object = current?.object else { return [nil] }
      if let origin = OraclePath.origin(name, of: object.className) {
        return [.collection(OracleCollection(.list, links(to: object, origin.0, origin.1)))]
      }
      return [object.properties[name] ?? .null]
    case .links(let className, let property):
      guard let object = current?.object else { return [] }
      return links(to: object, className, property)
    case .key(let key):
      guard let current else { return [nil] }
      guard let collection = current.collection,
        let index = collection.keys.firstIndex(where: { $0.utf8.elementsEqual(key.utf8) })
      else { return [.null] }
      return [collection.elements[index]]
    case .element(let position):
      guard let current else { return [nil] }
      guard let collection = current.collection, collection.kind == .list else { return [.null] }
      let index =
        switch position {
        case .index(let index): index
        case .first: 0
        case .last: collection.elements.count - 1
        }
      return [collection.elements.indices.contains(index) ? collection.elements[index] : .null]
    case .elements: return current?.collection?.elements ?? []
    case .keys: return (current?.collection?.keys ?? []).map { .string($0) }
    case .type: return [current.map { .string($0.typeName) }]
    }
  }

  /// The objects that link to the target, once for each link.
  private func links(
    to target: OracleObject, _ className: String, _ property: String
  ) -> [OracleValue] {
    var origins: [OracleValue] = []
    for object in objects where object.className == className {
      let value = object.properties[property] ?? .null
      for link in value.collection?.elements ?? [value] where link.object === target {
        origins.append(.object(object))
      }
    }
    return origins
  }
}

/// The meaning of the property names of the test classes.
enum OraclePath {
  /// The class and the property whose links a linking-objects property shows.
  static func origin(_ name: String, of className: String) -> (String, String)? {
    switch name {
    case "previous": (className, "next")
    case "items": ("OracleItem", "part")
    case "indexedItems": ("OracleIndexedItem", "part")
    default: nil
    }
  }

  static func lastProperty(_ path: QueryPath) -> String? {
    for step in path.steps.reversed() {
      if case .property(let name) = step { return name }
    }
    return nil
  }

  static func isMixed(_ path: QueryPath) -> Bool {
    let name = lastProperty(path)
    return name == nil || name == "value" || name?.hasPrefix("mixed") == true
  }

  /// Whether a path ends in a collection as a whole.
  static func endsInCollection(_ path: QueryPath) -> Bool {
    guard case .property(let name)? = path.steps.last else { return false }
    return ["List", "Set", "Map"].contains { name.hasSuffix($0) }
      || ["tags", "scores"].contains(name) || origin(name, of: "") != nil
  }
}
