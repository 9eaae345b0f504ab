import VarveCore
import VarveEncoding

/// Encodes and decodes one property of an object.
struct PropertyCoding: Sendable {
  /// Encodes the property. Omits a link whose class is not `Encodable`, unless links are encoded as
  /// keys.
  let encode:
    @Sendable (PropertyOwner, inout KeyedEncodingContainer<PropertyKey>, PropertyKey, LinkCoding)
      throws -> Void
  /// Decodes the property.
  let decode:
    @Sendable (PropertyOwner, KeyedDecodingContainer<PropertyKey>, PropertyKey, LinkSource) throws
      -> Void
  /// Whether the property can be decoded.
  let isDecodable: @Sendable (LinkCoding) -> Bool

  init<V: _Persistable>(_ type: V.Type) {
    let form = PropertyForm(V._$type, isInverse: V.self is any _InverseLinks.Type)
    encode = { owner, container, key, links in
      let value = V._$get(owner.object, owner.slot)
      if !form.isByBox(links), let value = value as? any Encodable {
        return try container.encode(value, forKey: key)
      }
      guard form.hasBox(links) else { return }
      let (name, property) = (owner.object.info.name, owner.name)
      if let elements = value as? any BoxedElements {
        try container.encode(
          EncodedElements(elements: elements, owner: name, property: property), forKey: key)
      } else {
        try container.encode(
          EncodedBox(box: value._$boxed, owner: name, property: property), forKey: key)
      }
    }
    let decodable = V.self as? any (Decodable & _Persistable).Type
    isDecodable = { links in
      !form.isInverse && (decodable != nil && !form.isByBox(links) || form.hasBox(links))
    }
    decode = { owner, container, key, links in
      if !form.isByBox(links.coding), let decodable {
        return try PropertyCoding.decode(decodable, owner, container, key)
      }
      try BoxDecoder(type: V._$type, owner: owner, links: links)
        .decode(from: try container.superDecoder(forKey: key))
    }
  }

  private static func decode<V: Decodable & _Persistable>(
    _ type: V.Type, _ owner: PropertyOwner, _ container: KeyedDecodingContainer<PropertyKey>,
    _ key: PropertyKey
  ) throws {
    V._$set(owner.object, owner.slot, try container.decode(V.self, forKey: key))
  }
}

/// A property of an object.
struct PropertyOwner: Sendable {
  let object: ObjectBase
  let slot: Int

  var name: String { object.info.properties[slot].name }
}

/// The form in which a property is coded: that of its type, or its stored form.
private struct PropertyForm: Sendable {
  let isInverse: Bool
  private let isLink: Bool
  private let isToEmbedded: Bool

  init(_ type: _PropertyType, isInverse: Bool) {
    self.isInverse = isInverse
    isLink = type.target != nil || isInverse
    isToEmbedded = type.target is EmbeddedObject.Type
  }

  /// Whether the coding of the type is bypassed because a link is encoded as a key.
  func isByBox(_ links: LinkCoding) -> Bool {
    isInverse || isLink && !isToEmbedded && links == .keys
  }

  /// Whether the property has a stored form: a value, or the key of an object.
  func hasBox(_ links: LinkCoding) -> Bool { !isLink || !isToEmbedded && links == .keys }
}

/// A coding key: the name of a property, or its name in the `CodingKeys` of the class.
struct PropertyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
