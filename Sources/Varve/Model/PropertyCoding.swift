import VarveCore
import VarveEncoding

/// Encodes and decodes one property of an object whose class declares `Codable`.
///
/// Thread safety: an immutable value.
struct PropertyCoding: Sendable {
  /// Writes the property; nothing for a type that is not `Encodable`.
  let encode:
    @Sendable (ObjectBase, Int, inout KeyedEncodingContainer<PropertyKey>, PropertyKey) throws ->
      Void
  /// Reads the property.
  let decode:
    @Sendable (ObjectBase, Int, KeyedDecodingContainer<PropertyKey>, PropertyKey) throws -> Void
  /// Whether the type can be decoded.
  let isDecodable: Bool

  init<V: _Persistable>(_ type: V.Type) {
    encode = { object, slot, container, key in
      guard let value = V._$get(object, slot) as? any Encodable else { return }
      try container.encode(value, forKey: key)
    }
    if let decodable = type as? any (Decodable & _Persistable).Type {
      isDecodable = true
      decode = { object, slot, container, key in
        try PropertyCoding.decode(decodable, object, slot, container, key)
      }
    } else {
      isDecodable = false
      decode = { _, _, _, _ in }
    }
  }

  private static func decode<V: Decodable & _Persistable>(
    _ type: V.Type, _ object: ObjectBase, _ slot: Int,
    _ container: KeyedDecodingContainer<PropertyKey>, _ key: PropertyKey
  ) throws {
    V._$set(object, slot, try container.decode(V.self, forKey: key))
  }
}

/// A coding key that is a property's name, or what a class's `CodingKeys` call it.
struct PropertyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension ObjectBase {
  /// Reads the persisted properties; called by generated code.
  ///
  /// - Parameters:
  ///   - decoder: where from.
  ///   - keys: what each property is called; nil for the names of the properties.
  /// - Throws: `DecodingError`; a missing key is one unless the property is optional, a collection or
  ///   declares a default.
  public final func _$decode(from decoder: any Decoder, keys: [String: String]? = nil) throws {
    let container = try decoder.container(keyedBy: PropertyKey.self)
    for property in info.properties where property.coding.isDecodable {
      guard let name = keys.map({ $0[property.name] }) ?? property.name else { continue }
      let key = PropertyKey(name)
      guard container.contains(key) else {
        let kind = property.type.kind
        if property.hasDefault || kind.isNullable || kind.type == .mixed || kind.collection != .none
        {
          continue
        }
        throw DecodingError.keyNotFound(
          key,
          DecodingError.Context(
            codingPath: container.codingPath,
            debugDescription: "Property '\(info.name).\(property.name)' has no value."))
      }
      try property.coding.decode(self, property.slot, container, key)
    }
  }

  /// Writes the persisted properties; called by generated code.
  ///
  /// - Parameters:
  ///   - encoder: where to.
  ///   - keys: what each property is called; nil for the names of the properties.
  /// - Throws: `Realm.Error` with `.invalidatedObject` for a deleted object; `EncodingError.invalidValue`
  ///   for one that is met again below itself; or what the encoder throws.
  public final func _$encode(to encoder: any Encoder, keys: [String: String]? = nil) throws {
    if cell.isTied, !cell.exists {
      throw Realm.Error(.invalidatedObject, "A deleted object cannot be encoded.")
    }
    let place = EncodedPlace(self, within: EncodedPlace.current)
    try place.checkNoCycle(encoder.codingPath)
    try EncodedPlace.$current.withValue(place) {
      var container = encoder.container(keyedBy: PropertyKey.self)
      for property in info.properties {
        guard let name = keys.map({ $0[property.name] }) ?? property.name else { continue }
        try property.coding.encode(self, property.slot, &container, PropertyKey(name))
      }
    }
  }
}

/// An object that is being encoded, and those around it.
///
/// Thread safety: immutable.
private final class EncodedPlace: Sendable {
  /// What the running task or thread encodes.
  @TaskLocal static var current: EncodedPlace?

  private let object: ObjectBase
  private let outer: EncodedPlace?

  init(_ object: ObjectBase, within outer: EncodedPlace?) {
    self.object = object
    self.outer = outer
  }

  /// Throws when the object is one of those around it: links lead back to it, without end.
  ///
  /// - Complexity: O(objects around it).
  func checkNoCycle(_ path: [any CodingKey]) throws {
    var place = outer
    while let around = place {
      guard !around.isSame(as: object) else { throw cycle(path) }
      place = around.outer
    }
  }

  private func isSame(as other: ObjectBase) -> Bool {
    object.isSameObject(as: other)
  }

  private func cycle(_ path: [any CodingKey]) -> EncodingError {
    let text = path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    return .invalidValue(
      object,
      EncodingError.Context(
        codingPath: path,
        debugDescription:
          "The object of class '\(object.info.name)' at '\(text)' contains itself: links lead back to it."
      ))
  }
}

/// The value of an observed property, for the bodies of its `willSet` and `didSet`; generated code uses
/// it.
public struct _ObservedProperty<V: _Persistable> {
  private let object: ObjectBase
  private let slot: Int

  /// `like`: fixes the type.
  public init(_ object: ObjectBase, _ slot: Int, _ like: V) {
    self.object = object
    self.slot = slot
  }

  /// The value.
  public var value: V {
    get { object._$get(slot) }
    nonmutating set { object._$set(slot, newValue) }
  }
}

extension List: Decodable where Element: Decodable {
  /// Reads an array of elements.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    append(objectsIn: try [Element](from: decoder))
  }
}

extension List: Encodable where Element: Encodable {
  /// Writes an array of elements.
  public func encode(to encoder: any Encoder) throws { try Array(self).encode(to: encoder) }
}

extension Map: Decodable where Value: Decodable {
  /// Reads a dictionary.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    for (key, value) in try [String: Value](from: decoder) { self[Key(_$key: key)] = value }
  }
}

extension Map: Encodable where Value: Encodable {
  /// Writes a dictionary.
  public func encode(to encoder: any Encoder) throws {
    let pairs = entries.map { ($0.key._$key, $0.value) }
    try Dictionary(pairs, uniquingKeysWith: { $1 }).encode(to: encoder)
  }
}
