import VarveCore
import VarveEncoding

/// Encodes and decodes one property of an object whose class declares `Codable`.
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

extension ObjectBase {
  /// Decodes the persisted properties. Called by generated code.
  ///
  /// - Parameter keys: The encoded name of each property; nil for the names of the properties.
  /// - Throws: `DecodingError`. A missing key is an error, unless the property is optional, a
  ///   collection, an auto-incremented primary key, or declares a default. Null for a collection
  ///   makes it empty.
  public final func _$decode(from decoder: any Decoder, keys: [String: String]? = nil) throws {
    if let patch = PatchCollector.current, try patch.read(self, from: decoder, keys: keys) {
      return
    }
    let container = try decoder.container(keyedBy: PropertyKey.self)
    let links = LinkSource(decoder)
    for property in info.properties where property.coding.isDecodable(links.coding) {
      guard let name = keys.map({ $0[property.name] }) ?? property.name else { continue }
      let key = PropertyKey(name)
      // Without a value, the object gets the next key when it is added.
      if property.isAutoIncremented {
        guard container.contains(key), try !container.decodeNil(forKey: key) else { continue }
      }
      guard container.contains(key) else {
        guard property.isRequired else { continue }
        throw DecodingError.keyNotFound(
          key,
          DecodingError.Context(
            codingPath: container.codingPath,
            debugDescription: "Property '\(info.name).\(property.name)' has no value."))
      }
      do {
        if property.type.kind.collection != .none, try container.decodeNil(forKey: key) {
          property.removeAll(of: self)
          continue
        }
        try property.coding.decode(
          PropertyOwner(object: self, slot: property.slot), container, key, links)
      } catch let error as DecodingError {
        throw error.naming(info.name, property.name)
      }
    }
  }

  /// Encodes the persisted properties. Called by generated code.
  ///
  /// - Parameter keys: The encoded name of each property; nil for the names of the properties.
  /// - Throws: `Realm.Error` with `.invalidatedObject` for a deleted object;
  ///   `EncodingError.invalidValue` for an object that contains itself; the errors of the encoder.
  public final func _$encode(to encoder: any Encoder, keys: [String: String]? = nil) throws {
    if handle.isManaged, !handle.exists {
      throw Realm.Error(.invalidatedObject, "A deleted object cannot be encoded.")
    }
    let path = EncodingPath(self, within: EncodingPath.current)
    try path.checkNoCycle(encoder.codingPath)
    try EncodingPath.$current.withValue(path) {
      var container = encoder.container(keyedBy: PropertyKey.self)
      let links = LinkCoding(encoder.userInfo)
      for property in info.properties {
        guard let name = keys.map({ $0[property.name] }) ?? property.name else { continue }
        do {
          try property.coding.encode(
            PropertyOwner(object: self, slot: property.slot), &container, PropertyKey(name), links)
        } catch let error as EncodingError {
          throw error.naming(info.name, property.name)
        }
      }
    }
  }
}
