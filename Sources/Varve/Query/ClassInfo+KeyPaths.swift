extension ClassInfo {
  /// The names of the properties that a key path stands for.
  ///
  /// - Parameter keyPath: a persisted property, or a chain of to-one links that ends in one.
  /// - Precondition: it is that.
  /// - Returns: the names of the links, then of the property.
  /// - Complexity: O(1) for a property of the class itself.
  static func path<Root: ObjectBase, V>(_ keyPath: KeyPath<Root, V>) -> [String] {
    let info = ClassInfo.of(Root.self)
    if let slot = info.slot(of: keyPath) { return [info.properties[slot].name] }
    guard let type = V.self as? any _Persistable.Type else {
      QueryMisuse.trap(message(info.name, V.self, reads: [], isUnwrapped: false))
    }
    return probed(keyPath, type, info)
  }

  private static func probed<Root: ObjectBase, P: _Persistable>(
    _ keyPath: PartialKeyPath<Root>, _ type: P.Type, _ info: ClassInfo
  ) -> [String] {
    guard let keyPath = keyPath as? KeyPath<Root, P> else {
      QueryMisuse.trap(message(info.name, P.self, reads: [], isUnwrapped: false))
    }
    switch KeyPathProbe(keyPath: keyPath).outcome() {
    case .property(let names): return names
    case .other(let reads, let isUnwrapped):
      QueryMisuse.trap(message(info.name, P.self, reads: reads, isUnwrapped: isUnwrapped))
    }
  }

  private static func message(
    _ name: String, _ type: Any.Type, reads: [String], isUnwrapped: Bool
  ) -> String {
    let path = reads.map { "'\($0)'" }.joined(separator: ", ")
    let found =
      reads.isEmpty ? "reads no persisted property" : "reads \(path) and gives something else"
    let advice = isUnwrapped ? " Where it unwraps a link with '!', write '?'." : ""
    return
      "A key path from \(name) to \(type) is no persisted property, nor a chain of to-one links "
      + "that ends in one: it \(found).\(advice) Queries know what is stored; computed properties and "
      + "members of values are not."
  }
}
