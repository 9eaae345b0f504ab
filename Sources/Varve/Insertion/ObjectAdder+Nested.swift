import VarveCore
import VarveEncoding

/// Lists and dictionaries in mixed values.
extension ObjectAdder {
  /// Returns the content of a mixed value that is about to be set. Unmanaged objects in it are
  /// added.
  ///
  /// The content is read completely before it is stored, so that a managed collection can be
  /// assigned to a value inside itself.
  static func content(
    of box: _Boxed, _ transaction: Transaction, _ context: ReadContext
  ) throws(Failure) -> NestedContent {
    try content(of: try box.copied()) { (object) throws(Failure) in
      try link(to: object, transaction, context)
    }
  }

  /// Returns the content of a collected mixed value.
  func content(of box: _Boxed) throws(Failure) -> NestedContent {
    try Self.content(of: box) { (object) throws(Failure) in try link(toCollected: object) }
  }

  private static func content(
    of box: _Boxed, _ link: (ObjectBase) throws(Failure) -> Value
  ) throws(Failure) -> NestedContent {
    switch box.content {
    case .value(let value): return .value(value)
    case .object(let object): return .value(try link(object))
    case .collection(let collection) where collection.isDictionary:
      var entries: [(key: String, value: NestedContent)] = []
      for (key, box) in collection.unmanagedEntries {
        entries.append((key, try content(of: box, link)))
      }
      return .dictionary(entries)
    case .collection(let collection):
      var elements: [NestedContent] = []
      for box in collection.unmanagedElements { elements.append(try content(of: box, link)) }
      return .list(elements)
    case .unset: return .value(.null)
    }
  }
}

extension ObjectAdder.Content {
  /// Replaces the collections in mixed elements with copies.
  mutating func copyNested() throws(Failure) {
    for index in elements.indices { elements[index] = try elements[index].copied() }
    for index in entries.indices { entries[index].value = try entries[index].value.copied() }
  }
}

extension UnmanagedValues {
  /// Returns the values, with copies of the collections in mixed values.
  func copyingNested(_ info: ClassInfo) throws(Failure) -> UnmanagedValues {
    let model = info.description
    if model.mixedSlots.isEmpty { return self }
    var copy = self
    for slot in model.mixedSlots {
      copy.boxes[slot] = try Failure.putting(
        in: model.properties[slot].alias, of: info.name
      ) { () throws(Failure) in try boxes[slot].copied() }
    }
    return copy
  }
}

extension _Boxed {
  /// Returns the value with copies of the collections in it. Nothing else refers to the copies.
  ///
  /// - Throws: `.invalidInput` for a collection that contains itself, and for collections nested
  ///   more than 100 levels deep.
  func copied() throws(Failure) -> _Boxed { try copied(within: []) }

  // The enclosing collections are retained: the address of a released collection could be reused by
  // another one.
  private func copied(within outer: [any _AnyCollection]) throws(Failure) -> _Boxed {
    guard case .collection(let collection) = content else { return self }
    guard outer.count < NestedContent.maximumDepth else { throw NestedContent.tooDeep(nil, nil) }
    guard !outer.contains(where: { $0 === collection }) else {
      throw Failure(.invalidInput, "A list or dictionary in a mixed value contains itself.")
    }
    let inner = outer + [collection]
    if collection.isDictionary {
      let copy = Map<String, AnyRealmValue>()
      for (key, box) in collection.unmanagedEntries {
        copy[key] = AnyRealmValue._$unboxed(try box.copied(within: inner), nil)
      }
      return copy._$boxed
    }
    let copy = List<AnyRealmValue>()
    for box in collection.unmanagedElements {
      copy.append(AnyRealmValue._$unboxed(try box.copied(within: inner), nil) ?? .none)
    }
    return copy._$boxed
  }
}
