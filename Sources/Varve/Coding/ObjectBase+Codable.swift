import VarveCore
import VarveEncoding

// A class conforms to `Codable` in its declaration, in an extension, or through another protocol.
// In each case the compiler uses these members, in preference to those that it would synthesize
// from the stored properties, of which a model has none. Members that the class declares or
// inherits take precedence.

extension Decodable where Self: ObjectBase {
  /// Creates an unmanaged object with the decoded values of the persisted properties.
  ///
  /// The keys are the names of the properties, or those in the `CodingKeys` of the class that
  /// declares them. A property that these leave out keeps its default.
  ///
  /// - Throws: `DecodingError`. A missing key is an error, unless the property is optional, a
  ///   collection, an auto-incremented primary key, or declares a default.
  public init(from decoder: any Decoder) throws {
    self.init()
    try _$decode(from: decoder)
  }
}

extension Encodable where Self: ObjectBase {
  /// Encodes the persisted properties.
  ///
  /// The keys are the names of the properties, or those in the `CodingKeys` of the class that
  /// declares them. A property that these leave out is not encoded.
  ///
  /// - Throws: `Realm.Error` with `.invalidatedObject` for a deleted object;
  ///   `EncodingError.invalidValue` for an object that contains itself; the errors of the encoder.
  public func encode(to encoder: any Encoder) throws { try _$encode(to: encoder) }
}

extension ObjectBase {
  /// Decodes the persisted properties, under the names in the `CodingKeys` of the class. Called by
  /// generated code.
  ///
  /// - Throws: `DecodingError`. A missing key is an error, unless the property is optional, a
  ///   collection, an auto-incremented primary key, or declares a default. Null for a collection
  ///   makes it empty.
  public final func _$decode(from decoder: any Decoder) throws {
    let names = try codingNames { text in
      DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: text))
    }
    if let patch = PatchCollector.current, try patch.read(self, from: decoder, names) { return }
    let container = try decoder.container(keyedBy: PropertyKey.self)
    let links = LinkSource(decoder)
    for property in info.properties where property.coding.isDecodable(links.coding) {
      guard let name = names[property.slot] else { continue }
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

  /// Encodes the persisted properties, under the names in the `CodingKeys` of the class. Called by
  /// generated code.
  ///
  /// - Throws: `Realm.Error` with `.invalidatedObject` for a deleted object;
  ///   `EncodingError.invalidValue` for an object that contains itself; the errors of the encoder.
  public final func _$encode(to encoder: any Encoder) throws {
    if handle.isManaged, !handle.exists {
      throw Realm.Error(.invalidatedObject, "A deleted object cannot be encoded.")
    }
    let names = try codingNames { text in
      EncodingError.invalidValue(
        self, EncodingError.Context(codingPath: encoder.codingPath, debugDescription: text))
    }
    let path = EncodingPath(self, within: EncodingPath.current)
    try path.checkNoCycle(encoder.codingPath)
    try EncodingPath.$current.withValue(path) {
      var container = encoder.container(keyedBy: PropertyKey.self)
      let links = LinkCoding(encoder.userInfo)
      for property in info.properties {
        guard let name = names[property.slot] else { continue }
        do {
          try property.coding.encode(
            PropertyOwner(object: self, slot: property.slot), &container, PropertyKey(name), links)
        } catch let error as EncodingError {
          throw error.naming(info.name, property.name)
        }
      }
    }
  }

  /// Returns the names of the properties by slot.
  ///
  /// - Throws: The error that `failure` creates from a sentence about keys that cannot be used.
  private func codingNames(_ failure: (String) -> any Error) throws -> [String?] {
    let names = info.codingNames
    if let fault = names.fault { throw failure(fault) }
    return names.names
  }
}
