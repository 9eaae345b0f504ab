import VarveCore
import VarveEncoding

/// A marker of ``LinkingObjects``.
protocol _InverseLinks {}

extension LinkingObjects: _InverseLinks {}

extension LinkingObjects: BoxedElements {}

/// The elements of a collection, encoded in their stored form.
struct EncodedElements: Encodable {
  let elements: any BoxedElements
  /// The class and the property, for errors.
  let owner: String
  let property: String?

  func encode(to encoder: any Encoder) throws {
    func encoded(_ box: _Boxed) -> EncodedBox {
      EncodedBox(box: box, owner: owner, property: property)
    }
    guard elements.isDictionary else {
      var container = encoder.unkeyedContainer()
      return try elements.forEachBox { try container.encode(encoded($1)) }
    }
    var entries: [String: EncodedBox] = [:]
    elements.forEachBox { entries[$0] = encoded($1) }
    var container = encoder.singleValueContainer()
    try container.encode(entries)
  }
}

/// A value in its stored form, the primary key of an object, or the elements of a collection.
struct EncodedBox: Encodable {
  let box: _Boxed
  /// The class and the property, for errors.
  let owner: String
  let property: String?

  func encode(to encoder: any Encoder) throws {
    switch box.content {
    case .object(let object):
      try AnyRealmValue(try key(of: object, encoder), nil).encode(to: encoder)
    case .collection(let collection):
      try EncodedElements(elements: collection, owner: owner, property: property)
        .encode(to: encoder)
    // Links and nested collections are boxed as objects and as collections.
    case .value(let value): try AnyRealmValue(value, nil).encode(to: encoder)
    case .unset: try AnyRealmValue.none.encode(to: encoder)
    }
  }

  private func key(of object: ObjectBase, _ encoder: any Encoder) throws -> Value {
    let info = object.info
    guard let slot = info.description.primaryKeySlot else {
      let text = "Class '\(info.name)' has no primary key to encode its objects by."
      throw EncodingError.invalidValue(
        object,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription: property.map { CodingContext.named(text, owner, $0) } ?? text))
    }
    return info.properties[slot].read(object, slot).value ?? .null
  }
}
