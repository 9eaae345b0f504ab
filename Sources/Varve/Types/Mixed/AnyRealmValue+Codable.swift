import Foundation

extension AnyRealmValue: Encodable {
  /// Encodes the value without its type. ``none`` is encoded as nil, and an object as determined by
  /// ``LinkCoding``.
  ///
  /// - Throws: `EncodingError.invalidValue` for an object whose class is not `Encodable` and for
  ///   lists and dictionaries nested more than 100 levels deep; errors of the encoder.
  public func encode(to encoder: any Encoder) throws {
    if case .object(let object) = self {
      if LinkCoding(encoder.userInfo) == .keys {
        return try MixedLink.encode(object, to: encoder)
      }
      guard let encodable = object as? any Encodable else {
        throw EncodingError.invalidValue(
          object,
          EncodingError.Context(
            codingPath: encoder.codingPath,
            debugDescription: "Objects of class '\(object.info.name)' cannot be encoded."))
      }
      return try encodable.encode(to: encoder)
    }
    if case .list(let list) = self {
      return try NestedCoding.encode(self, to: encoder) { try list.encode(to: encoder) }
    }
    if case .dictionary(let map) = self {
      return try NestedCoding.encode(self, to: encoder) { try map.encode(to: encoder) }
    }
    var container = encoder.singleValueContainer()
    switch self {
    case .none, .object, .list, .dictionary: try container.encodeNil()
    case .int(let value): try container.encode(value)
    case .bool(let value): try container.encode(value)
    case .float(let value): try container.encode(value)
    case .double(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .data(let value): try container.encode(value)
    case .date(let value): try container.encode(value)
    case .objectId(let value): try container.encode(value)
    case .uuid(let value): try container.encode(value)
    case .decimal128(let value): try container.encode(value)
    }
  }
}

extension AnyRealmValue: Decodable {
  /// Decodes null, a Bool, a number, a string, an array or a dictionary, and from a property list a
  /// date or data. A number is decoded as an integer if possible.
  ///
  /// A value that is encoded as a string, such as a UUID, is decoded as a string. With
  /// ``LinkCoding/keys``, an object is decoded from its key and the name of its class, which must
  /// be a class of the program.
  ///
  /// - Throws: `DecodingError.typeMismatch` for any other value; `DecodingError` for a link to an
  ///   object that does not exist; `DecodingError.dataCorrupted` for arrays and dictionaries nested
  ///   more than 100 levels deep, and for a key that contains `.` or starts with `$`.
  public init(from decoder: any Decoder) throws {
    let links = LinkSource(decoder)
    if links.coding == .keys, let object = try MixedLink.object(from: decoder, links) {
      self = .object(object)
      return
    }
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .none
    } else if NestedCoding.isDeep, let nested = try Self.nested(in: decoder, container) {
      self = nested
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .int(value)
    } else if let value = try? container.decode(Double.self) {
      self = .double(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let nested = try Self.nested(in: decoder, container) {
      self = nested
    } else if let value = try? container.decode(Date.self) {
      self = .date(value)
    } else if let value = try? container.decode(Data.self) {
      self = .data(value)
    } else {
      // Neither, so that the error of the decoder is thrown.
      self = try Self.dictionary(in: decoder, container)
    }
  }

  /// Decodes a list or a dictionary. Returns nil for other values.
  private static func nested(
    in decoder: any Decoder, _ container: any SingleValueDecodingContainer
  ) throws -> AnyRealmValue? {
    if (try? decoder.unkeyedContainer()) != nil {
      return try NestedCoding.decode(from: decoder) {
        .fromArray(try container.decode([AnyRealmValue].self))
      }
    }
    guard (try? decoder.container(keyedBy: PropertyKey.self)) != nil else { return nil }
    return try NestedCoding.decode(from: decoder) { try dictionary(in: decoder, container) }
  }

  private static func dictionary(
    in decoder: any Decoder, _ container: any SingleValueDecodingContainer
  ) throws -> AnyRealmValue {
    let entries = try container.decode([String: AnyRealmValue].self)
    try DecodedKeys.check(entries.keys, at: decoder.codingPath)
    return .fromDictionary(entries)
  }
}

/// The coding of an object in a value of any type, by class and key:
/// `{"$link": {"class": "Dog", "key": "Rex"}}`.
///
/// It cannot be confused with a dictionary, because the keys of maps do not start with `$`.
private enum MixedLink {
  private static let linkKey = PropertyKey("$link")
  private enum Keys: String, CodingKey { case `class`, key }

  static func encode(_ object: Object, to encoder: any Encoder) throws {
    var marked = encoder.container(keyedBy: PropertyKey.self)
    var container = marked.nestedContainer(keyedBy: Keys.self, forKey: linkKey)
    try container.encode(object.info.name, forKey: .class)
    try container.encode(
      EncodedBox(box: _Boxed(.object(object)), owner: object.info.name, property: nil),
      forKey: .key)
  }

  /// - Returns: Nil for a value that is not a link.
  static func object(from decoder: any Decoder, _ links: LinkSource) throws -> Object? {
    guard let marked = try? decoder.container(keyedBy: PropertyKey.self),
      marked.allKeys.map(\.stringValue) == [linkKey.stringValue]
    else { return nil }
    let container = try marked.nestedContainer(keyedBy: Keys.self, forKey: linkKey)
    let name = try container.decode(String.self, forKey: .class)
    let classes = ClassInfo.named(name).compactMap { $0.type as? Object.Type }
    guard let type = classes.first, classes.count == 1 else {
      throw DecodingError.dataCorruptedError(
        forKey: .class, in: container,
        debugDescription: "The program has no class '\(name)', or several of this name.")
    }
    return try BoxDecoder.object(type, from: try container.superDecoder(forKey: .key), links)
      as? Object
  }
}
