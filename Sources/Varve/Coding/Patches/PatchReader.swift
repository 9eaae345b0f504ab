import VarveCore
import VarveEncoding

/// Decodes the content of one property of a document.
struct PatchReader: Sendable {
  /// The reader of the collection whose elements the running task or thread decodes.
  @TaskLocal fileprivate static var current: PatchReader?

  let owner: PropertyOwner
  let property: PropertyDescriptor
  let links: LinkSource

  private var kind: PropertyKind { property.type.kind }

  /// - Throws: `DecodingError`.
  func content(
    _ container: KeyedDecodingContainer<PropertyKey>, _ key: PropertyKey
  ) throws -> PatchContent {
    if kind.collection != .none, try container.decodeNil(forKey: key) { return .nothing }
    if property.type.target == nil { return try values(property.valueType, container, key) }
    return try PatchReader.$current.withValue(self) {
      switch kind.collection {
      case .none:
        try container.decodeIfPresent(DecodedElement.self, forKey: key)?.content ?? .value(.null)
      case .list, .set:
        .elements(try container.decode([DecodedElement].self, forKey: key).map(\.content))
      case .dictionary:
        try entries(
          try container.decode([String: DecodedElement?].self, forKey: key).lazy
            .map { ($0.key, $0.value?.content) }, container, key)
      }
    }
  }

  /// - Throws: `DecodingError` for a key that no map can have.
  private func entries(
    _ entries: some Sequence<(String, PatchContent?)>,
    _ container: KeyedDecodingContainer<PropertyKey>, _ key: PropertyKey
  ) throws -> PatchContent {
    let entries = entries.sorted { $0.0 < $1.0 }
    try DecodedKeys.check(entries.lazy.map(\.0), at: container.codingPath + [key])
    return .entries(entries.map { (key: $0.0, value: $0.1) })
  }

  /// Decodes a property that contains no links.
  private func values<V: _Persistable>(
    _ type: V.Type, _ container: KeyedDecodingContainer<PropertyKey>, _ key: PropertyKey
  ) throws -> PatchContent {
    let values = BoxDecoder(type: property.type, owner: owner, links: links)
    do {
      if kind.collection == .dictionary {
        let entries =
          try (type as? any DecodableEntries.Type)?.entries(container, key)
          ?? values.entries(from: container.superDecoder(forKey: key))
        return try self.entries(
          try entries.map { ($0.key, try $0.value.map { try PatchContent($0, depth: 0) }) },
          container, key)
      }
      if let type = type as? any (Decodable & _Persistable).Type {
        return try PatchContent(try container.decode(type, forKey: key)._$boxed, depth: 0)
      }
      let decoder = try container.superDecoder(forKey: key)
      guard kind.collection == .none else {
        return .elements(try values.elements(from: decoder).map { try PatchContent($0, depth: 0) })
      }
      return try PatchContent(try values.box(decoder), depth: 0)
    } catch is PatchDocument.TooDeep {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: container, debugDescription: "The value is nested too deeply.")
    }
  }

  /// Decodes one linked or embedded object.
  fileprivate func object(from decoder: any Decoder) throws -> PatchContent {
    guard let target = property.type.target, let type = target as? any Decodable.Type,
      links.coding == .nested || target is EmbeddedObject.Type
    else { return try reference(from: decoder) }
    let isNew = target is EmbeddedObject.Type && kind.collection == .list
    return .document(
      try PatchCollector.document(of: type, from: decoder, for: isNew ? .creation : .change))
  }

  private func reference(from decoder: any Decoder) throws -> PatchContent {
    guard let target = property.type.target else { return .value(.null) }
    let key = try BoxDecoder.key(of: target, from: decoder)
    // The realm of the decoder refuses unknown keys here; that of the write refuses them later.
    if links.realm != nil { _ = try BoxDecoder.object(target, key, decoder, links) }
    return .reference(target, key: key)
  }
}

/// A linked or embedded object, decoded by ``PatchReader/current``.
private struct DecodedElement: Decodable {
  let content: PatchContent

  init(from decoder: any Decoder) throws {
    guard let current = PatchReader.current else {
      throw DecodingError.outsideOfCollection(decoder)
    }
    content = try current.object(from: decoder)
  }
}

/// A map whose entries are decoded with nulls.
private protocol DecodableEntries {
  static func entries(
    _ container: KeyedDecodingContainer<PropertyKey>, _ key: PropertyKey
  ) throws -> [(key: String, value: _Boxed?)]
}

extension Map: DecodableEntries where Value: Decodable {
  fileprivate static func entries(
    _ container: KeyedDecodingContainer<PropertyKey>, _ key: PropertyKey
  ) throws -> [(key: String, value: _Boxed?)] {
    try container.decode([String: Value?].self, forKey: key).map { ($0.key, $0.value?._$boxed) }
  }
}
