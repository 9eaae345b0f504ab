import Foundation
import VarveCore
import VarveEncoding

/// Decodes a property in its stored form: values, and objects by their primary keys.
struct BoxDecoder: Sendable {
  /// The decoder of the collection whose elements the running task or thread decodes.
  @TaskLocal fileprivate static var current: BoxDecoder?

  let type: _PropertyType
  let owner: PropertyOwner
  let links: LinkSource

  /// Decodes the property and sets it.
  ///
  /// - Throws: `DecodingError`, with class and property. The property is then unchanged.
  func decode(from decoder: any Decoder) throws {
    guard type.kind.collection != .none else {
      return owner.object._$setBoxed(owner.slot, try box(decoder))
    }
    let property = owner.object.info.properties[owner.slot]
    guard case .collection(let collection) = property.read(owner.object, owner.slot).content else {
      return
    }
    guard type.kind.collection == .dictionary else {
      return collection.replaceContent(try elements(from: decoder), [])
    }
    let container = try decoder.singleValueContainer()
    let entries = try BoxDecoder.$current.withValue(self) {
      try container.decode([String: DecodedBox].self)
    }
    try DecodedKeys.check(entries.keys, at: decoder.codingPath)
    collection.replaceContent([], entries.map { ($0.key, $0.value.box) }.sorted { $0.0 < $1.0 })
  }

  /// Decodes the elements of a list or a set.
  func elements(from decoder: any Decoder) throws -> [_Boxed] {
    let container = try decoder.singleValueContainer()
    return try BoxDecoder.$current.withValue(self) {
      try container.decode([DecodedBox].self).map(\.box)
    }
  }

  /// Decodes the entries of a map, with nil for null.
  func entries(from decoder: any Decoder) throws -> [(key: String, value: _Boxed?)] {
    let container = try decoder.singleValueContainer()
    return try BoxDecoder.$current.withValue(self) {
      try container.decode([String: DecodedBox?].self).map { ($0.key, $0.value?.box) }
    }
  }

  /// Decodes one value or one element.
  func box(_ decoder: any Decoder) throws -> _Boxed {
    let container = try decoder.singleValueContainer()
    let kind = type.kind
    if container.decodeNil() {
      guard kind.isNullable || kind.type == .link && kind.collection == .none else {
        throw DecodingError.valueNotFound(
          Any.self, context(decoder, "Null was given for a value that cannot be null."))
      }
      return .null
    }
    if let target = type.target { return _Boxed(.object(try object(target, decoder))) }
    let value = try Self.value(container, as: kind.type)
    guard kind.accepts(value), type.isValid?(value) ?? true else {
      throw DecodingError.dataCorrupted(
        context(decoder, "The value \(value.text) is not valid for the property."))
    }
    return _Boxed(value)
  }

  /// Returns the object with the decoded key.
  private func object(_ target: ObjectBase.Type, _ decoder: any Decoder) throws -> ObjectBase {
    do {
      return try Self.object(target, from: decoder, links)
    } catch let error as DecodingError {
      throw error.naming(owner.object.info.name, owner.name)
    }
  }

  /// Returns the object of a class with the key that a decoder contains.
  static func object(
    _ target: ObjectBase.Type, from decoder: any Decoder, _ links: LinkSource
  ) throws -> ObjectBase {
    try object(target, try key(of: target, from: decoder), decoder, links)
  }

  /// Decodes the primary key of a class.
  static func key(of target: ObjectBase.Type, from decoder: any Decoder) throws -> Value {
    let info = ClassInfo.of(target)
    guard let slot = info.description.primaryKeySlot else {
      throw error(
        "Class '\(info.name)' has no primary key to decode its objects by.", decoder)
    }
    let container = try decoder.singleValueContainer()
    let kind = info.properties[slot].type.kind
    let key = container.decodeNil() ? .null : try value(container, as: kind.type)
    guard kind.accepts(key) else {
      throw error(
        "The value \(key.text) is not a primary key of class '\(info.name)'.", decoder)
    }
    return key
  }

  /// Returns the object of a class with a key: that of the realm or, without one, an unmanaged
  /// object that has only the key.
  static func object(
    _ target: ObjectBase.Type, _ key: Value, _ decoder: any Decoder, _ links: LinkSource
  ) throws -> ObjectBase {
    let object = target.init()
    guard let realm = links.realm else {
      object.setOnly(key)
      return object
    }
    guard
      let found = realm.context.findObject(ClassInfo.description(of: target), primaryKey: key)
    else {
      throw error(
        "The realm has no object of class '\(object.info.name)' with the key \(key.text).", decoder)
    }
    found.attach(object.handle)
    return object
  }

  private static func error(_ text: String, _ decoder: any Decoder) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: decoder.codingPath, debugDescription: text))
  }

  private static func value(
    _ container: any SingleValueDecodingContainer, as type: VarveEncoding.PropertyType
  ) throws -> Value {
    switch type {
    case .bool: .bool(try container.decode(Bool.self))
    case .int8, .int16, .int32, .int64: .int(try container.decode(Int64.self))
    case .float: .float(try container.decode(Float.self))
    case .double: .double(try container.decode(Double.self))
    case .string: .string(try container.decode(String.self))
    case .data: .data(try container.decode(Data.self))
    case .date: .date(try container.decode(Date.self))
    case .uuid: .uuid(try container.decode(UUID.self))
    case .objectId: .objectId(try container.decode(ObjectId.self).bytes)
    case .decimal128: .decimal(try container.decode(Decimal128.self).bits)
    case .mixed: try container.decode(AnyRealmValue.self)._$boxed.value ?? .null
    case .link:
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "A link is not a value.")
    }
  }

  private func context(_ decoder: any Decoder, _ text: String) -> DecodingError.Context {
    DecodingError.Context(
      codingPath: decoder.codingPath,
      debugDescription: CodingContext.named(text, owner.object.info.name, owner.name))
  }
}

/// An element, decoded by ``BoxDecoder/current``.
private struct DecodedBox: Decodable {
  let box: _Boxed

  init(from decoder: any Decoder) throws {
    guard let current = BoxDecoder.current else { throw DecodingError.outsideOfCollection(decoder) }
    box = try current.box(decoder)
  }
}

extension ObjectBase {
  /// Sets the primary key of a new object that refers to a stored one, whose other properties are
  /// left as they are when the object is added.
  func setOnly(_ key: Value) {
    if let slot = info.description.primaryKeySlot { _$setBoxed(slot, _Boxed(key)) }
    markPartial()
  }
}

extension DecodingError {
  /// The error for an element that is decoded without the reader of its collection.
  static func outsideOfCollection(_ decoder: any Decoder) -> DecodingError {
    .dataCorrupted(
      Context(
        codingPath: decoder.codingPath,
        debugDescription: "An element is decoded outside of its collection."))
  }
}
