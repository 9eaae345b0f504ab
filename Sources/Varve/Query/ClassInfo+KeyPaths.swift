import VarveCore

extension ClassInfo {
  /// Returns the names of the properties that a key path refers to.
  ///
  /// - Parameter keyPath: A persisted property, or a chain of to-one links that ends in one. Any
  ///   other key path traps.
  /// - Returns: The names of the links, followed by the name of the property.
  /// - Complexity: O(1) for a property of the class itself.
  static func path<Root: ObjectBase>(_ keyPath: PartialKeyPath<Root>) -> [String] {
    do throws(Failure) {
      return try names(of: keyPath)
    } catch {
      Misuse.trap(error.message)
    }
  }

  /// Returns the path of a query to the property that a key path refers to. See ``path(_:)``.
  static func steps<Root: ObjectBase>(_ keyPath: PartialKeyPath<Root>) -> [QueryPath.Step] {
    let info = ClassInfo.of(Root.self)
    if let slot = info.slot(of: keyPath) { return info.steps[slot] }
    return path(keyPath).map { .property($0) }
  }

  /// Returns the slot of the property that a key path refers to.
  ///
  /// - Parameter keyPath: A persisted property of the class itself, declared or inherited. Any
  ///   other key path traps.
  /// - Complexity: O(1), without a lock; the first use of an inherited property evaluates the key
  ///   path about a dozen times.
  static func slot<Root: ObjectBase>(of keyPath: PartialKeyPath<Root>) -> Int {
    knownSlot(of: keyPath, in: Root.self) ?? probedSlot(of: keyPath)
  }

  /// Returns the slot of the property whose bytes are lent or appended to.
  ///
  /// - Parameter keyPath: A persisted property of the class itself, declared or inherited. Any
  ///   other key path traps, also that of a computed property that returns the value of a persisted
  ///   one only sometimes: the bytes of the persisted one would be lent instead.
  /// - Complexity: O(1); for an inherited property, an evaluation of the key path.
  static func bytesSlot<Root: ObjectBase>(of keyPath: PartialKeyPath<Root>) -> Int {
    let info = ClassInfo.of(Root.self)
    if let property = info.property(of: keyPath), property.isListed { return property.slot }
    return probedBytesSlot(of: keyPath, in: info)
  }

  @inline(never)
  private static func probedBytesSlot<Root: ObjectBase>(
    of keyPath: PartialKeyPath<Root>, in info: ClassInfo
  ) -> Int {
    let names = try? names(of: keyPath)
    guard let names, names.count == 1,
      let property = info.slot(named: names[0]).map({ info.properties[$0] }),
      let type = Swift.type(of: keyPath).valueType as? any _Persistable.Type,
      givesSample(keyPath, type, property)
    else {
      Misuse.trap(
        "A key path of \(info.name) is not that of a persisted property, whose bytes can be lent. "
          + "Get a linked object first, and read a computed property.")
    }
    info.remember(keyPath, slot: property.slot)
    return property.slot
  }

  private static func givesSample<Root: ObjectBase, P: _Persistable>(
    _ keyPath: PartialKeyPath<Root>, _ type: P.Type, _ property: PropertyDescriptor
  ) -> Bool {
    guard let keyPath = keyPath as? KeyPath<Root, P> else { return false }
    return KeyPathProbe(keyPath: keyPath).givesSample(of: property)
  }

  @inline(never)
  private static func probedSlot<Root: ObjectBase>(of keyPath: PartialKeyPath<Root>) -> Int {
    let path = path(keyPath)
    let info = ClassInfo.of(Root.self)
    guard path.count == 1,
      let slot = info.slot(named: path[0])
    else {
      Misuse.trap(
        "A key path of \(info.name) refers to a property of a linked object. Get the object first.")
    }
    info.remember(keyPath, slot: slot)
    return slot
  }

  /// Returns the names of the properties that a key path refers to, or throws an error instead of
  /// trapping. See ``path(_:)``.
  ///
  /// - Throws: `.unknownProperty` when the key path is neither a persisted property nor a chain of
  ///   to-one links that ends in one.
  static func names<Root: ObjectBase>(
    of keyPath: PartialKeyPath<Root>
  ) throws(Failure) -> [String] {
    let info = ClassInfo.of(Root.self)
    if let slot = info.slot(of: keyPath) { return [info.properties[slot].name] }
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
      reads.isEmpty ? "reads no persisted property" : "reads \(path) and returns another value"
    let advice = isUnwrapped ? " Use '?' instead of '!' to unwrap a link." : ""
    return Failure(
      .unknownProperty,
      "A key path from \(name) to \(type) is not a persisted property or a chain of to-one links "
        + "that ends in one: it \(found).\(advice) Queries evaluate stored properties only, not "
        + "computed properties or members of values.", className: name)
  }
}
