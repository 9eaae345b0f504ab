import Foundation

extension AnyRealmValue: Encodable {
  /// Writes the value without its type, and nil for none; an object as ``LinkCoding`` says.
  ///
  /// - Parameter encoder: where to.
  /// - Throws: `EncodingError.invalidValue` for an object whose class is not `Encodable`, and for more than 100 lists and
  ///   dictionaries in one another, or what the encoder throws.
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
  /// Reads a value: null, a Bool, a number, which is an integer where it can be, a string, an array or a dictionary.
  ///
  /// What is encoded as a string, such as a UUID, is read as one. Where ``LinkCoding/keys`` are asked for, an object is
  /// read by its class, which the program must have used, and its key.
  ///
  /// - Parameter decoder: where from.
  /// - Throws: `DecodingError.typeMismatch` for anything else; `DecodingError` for a link to no object;
  ///   `DecodingError.dataCorrupted` for more than 100 arrays and dictionaries in one another.
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
    } else {
      // Neither: the error of the decoder.
      self = .fromDictionary(try container.decode([String: AnyRealmValue].self))
    }
  }

  /// A list or a dictionary; nil for another value.
  private static func nested(
    in decoder: any Decoder, _ container: any SingleValueDecodingContainer
  ) throws -> AnyRealmValue? {
    if (try? decoder.unkeyedContainer()) != nil {
      return try NestedCoding.decode(from: decoder) {
        .fromArray(try container.decode([AnyRealmValue].self))
      }
    }
    guard (try? decoder.container(keyedBy: PropertyKey.self)) != nil else { return nil }
    return try NestedCoding.decode(from: decoder) {
      .fromDictionary(try container.decode([String: AnyRealmValue].self))
    }
  }
}

/// An object in a value of any type, by class and key: `{"$link": {"class": "Dog", "key": "Rex"}}`.
///
/// No dictionary looks like that: the keys of maps do not start with `$`.
private enum MixedLink {
  private static let mark = PropertyKey("$link")
  private enum Keys: String, CodingKey { case `class`, key }

  static func encode(_ object: Object, to encoder: any Encoder) throws {
    var marked = encoder.container(keyedBy: PropertyKey.self)
    var container = marked.nestedContainer(keyedBy: Keys.self, forKey: mark)
    try container.encode(object.info.name, forKey: .class)
    try container.encode(
      EncodedBox(box: _Boxed(.object(object)), owner: object.info.name, property: nil),
      forKey: .key)
  }

  /// - Returns: nil for what is no link.
  static func object(from decoder: any Decoder, _ links: LinkSource) throws -> Object? {
    guard let marked = try? decoder.container(keyedBy: PropertyKey.self),
      marked.allKeys.map(\.stringValue) == [mark.stringValue]
    else { return nil }
    let container = try marked.nestedContainer(keyedBy: Keys.self, forKey: mark)
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
