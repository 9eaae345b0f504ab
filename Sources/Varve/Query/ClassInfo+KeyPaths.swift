import VarveCore

extension ClassInfo {
  /// The names of the properties that a key path stands for.
  ///
  /// - Parameter keyPath: a persisted property, or a chain of to-one links that ends in one.
  /// - Precondition: it is that.
  /// - Returns: the names of the links, then of the property.
  /// - Complexity: O(1) for a property of the class itself.
  static func path<Root: ObjectBase>(_ keyPath: PartialKeyPath<Root>) -> [String] {
    do throws(Failure) {
      return try names(of: keyPath)
    } catch {
      QueryMisuse.trap(error.message)
    }
  }

  /// As ``path(_:)``, for key paths that are checked when the program runs.
  ///
  /// - Throws: `.unknownProperty` for a key path that is no property, nor a chain of links that ends in one.
  static func names<Root: ObjectBase>(
    of keyPath: PartialKeyPath<Root>
  ) throws(Failure) -> [String] {
    let info = ClassInfo.of(Root.self)
    if let slot = info.slot(of: keyPath) { return [info.properties[slot].columnName] }
    let type = Swift.type(of: keyPath).valueType
    guard let persistable = type as? any _Persistable.Type else {
      throw failure(info.name, type, reads: [], isUnwrapped: false)
    }
    return try probed(keyPath, persistable, info)
  }

  private static func probed<Root: ObjectBase, P: _Persistable>(
    _ keyPath: PartialKeyPath<Root>, _ type: P.Type, _ info: ClassInfo
  ) throws(Failure) -> [String] {
    guard let keyPath = keyPath as? KeyPath<Root, P> else {
      throw failure(info.name, P.self, reads: [], isUnwrapped: false)
    }
    switch KeyPathProbe(keyPath: keyPath).outcome() {
    case .property(let names): return names
    case .other(let reads, let isUnwrapped):
      throw failure(info.name, P.self, reads: reads, isUnwrapped: isUnwrapped)
    }
  }

  private static func failure(
    _ name: String, _ type: Any.Type, reads: [String], isUnwrapped: Bool
  ) -> Failure {
    let path = reads.map { "'\($0)'" }.joined(separator: ", ")
    let found =
      reads.isEmpty ? "reads no persisted property" : "reads \(path) and gives something else"
    let advice = isUnwrapped ? " Where it unwraps a link with '!', write '?'." : ""
    return Failure(
      .unknownProperty,
      "A key path from \(name) to \(type) is no persisted property, nor a chain of to-one links "
        + "that ends in one: it \(found).\(advice) Queries know what is stored; computed properties "
        + "and members of values are not.", className: name)
  }
}
