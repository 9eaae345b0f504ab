extension List: Decodable where Element: Decodable {
  /// Creates an unmanaged list from an encoded array of elements.
  ///
  /// - Throws: `DecodingError`.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    append(objectsIn: try [Element](from: decoder))
  }
}

extension List: Encodable where Element: Encodable {
  /// Encodes an array of the elements. Elements are encoded one by one and not retained.
  ///
  /// - Throws: The errors of an element or of the encoder.
  public func encode(to encoder: any Encoder) throws { try encoder.encodeEach(of: self) }
}

extension MutableSet: Decodable where Element: Decodable {
  /// Creates an unmanaged set from an encoded array of elements.
  ///
  /// - Throws: `DecodingError`.
  public convenience init(from decoder: any Decoder) throws {
    self.init(try [Element](from: decoder))
  }
}

extension MutableSet: Encodable where Element: Encodable {
  /// Encodes an array of the elements, in order and one by one.
  ///
  /// - Throws: The errors of an element or of the encoder.
  public func encode(to encoder: any Encoder) throws { try encoder.encodeEach(of: self) }
}

extension Map: Decodable where Value: Decodable {
  /// Creates an unmanaged map from an encoded dictionary.
  ///
  /// - Throws: `DecodingError`, also for a key that contains `.` or starts with `$`.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    // Decoded through a container: decoders convert the keys of objects, but not those of
    // dictionaries.
    let entries = try decoder.singleValueContainer().decode([String: Value].self)
    try DecodedKeys.check(entries.keys, at: decoder.codingPath)
    setAll(entries.map { ($0, $1) }, replacing: true)
  }
}

extension Map: Encodable where Value: Encodable {
  /// Encodes a dictionary. A key encoding strategy of the encoder does not convert its keys.
  ///
  /// - Throws: The errors of a value or of the encoder.
  public func encode(to encoder: any Encoder) throws {
    let pairs = storedEntries.map { ($0.key, $0.value) }
    var container = encoder.singleValueContainer()
    try container.encode(Dictionary(pairs, uniquingKeysWith: { $1 }))
  }
}

extension Results: Encodable where Element: Encodable {
  /// Encodes an array of the elements in the current version. Elements are encoded one by one and
  /// not retained.
  ///
  /// - Throws: The errors of an element or of the encoder.
  public func encode(to encoder: any Encoder) throws { try encoder.encodeEach(of: self) }
}

extension LinkingObjects: Encodable {
  /// Encodes an array of the primary keys of the objects, regardless of the ``LinkCoding``: nested
  /// objects would contain the object that they link to.
  ///
  /// - Throws: `EncodingError.invalidValue` for a class without a primary key; the errors of the
  ///   encoder.
  public func encode(to encoder: any Encoder) throws {
    try EncodedElements(elements: self, owner: Element.className(), property: nil)
      .encode(to: encoder)
  }
}

extension Encoder {
  fileprivate func encodeEach<S: Sequence>(of elements: S) throws where S.Element: Encodable {
    var container = unkeyedContainer()
    for element in elements { try container.encode(element) }
  }
}
