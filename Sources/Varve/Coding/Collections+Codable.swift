extension List: Decodable where Element: Decodable {
  /// Reads an array of elements.
  ///
  /// - Parameter decoder: where from.
  /// - Throws: `DecodingError`.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    append(objectsIn: try [Element](from: decoder))
  }
}

extension List: Encodable where Element: Encodable {
  /// Writes an array of elements, one after the other: those that are written are not held.
  ///
  /// - Parameter encoder: where to.
  /// - Throws: what an element or the encoder throws.
  public func encode(to encoder: any Encoder) throws { try encoder.encodeEach(of: self) }
}

extension MutableSet: Decodable where Element: Decodable {
  /// Reads an array of elements.
  ///
  /// - Parameter decoder: where from.
  /// - Throws: `DecodingError`.
  public convenience init(from decoder: any Decoder) throws {
    self.init(try [Element](from: decoder))
  }
}

extension MutableSet: Encodable where Element: Encodable {
  /// Writes an array of the elements, in order, one after the other.
  ///
  /// - Parameter encoder: where to.
  /// - Throws: what an element or the encoder throws.
  public func encode(to encoder: any Encoder) throws { try encoder.encodeEach(of: self) }
}

extension Map: Decodable where Value: Decodable {
  /// Reads a dictionary.
  ///
  /// - Parameter decoder: where from.
  /// - Throws: `DecodingError`.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    // Asked of a container: decoders change the keys of objects, but not those of dictionaries.
    let entries = try decoder.singleValueContainer().decode([String: Value].self)
    setAll(entries.map { ($0, $1) }, replacing: true)
  }
}

extension Map: Encodable where Value: Encodable {
  /// Writes a dictionary, whose keys an encoder leaves as they are.
  ///
  /// - Parameter encoder: where to.
  /// - Throws: what a value or the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    let pairs = storedEntries.map { ($0.key, $0.value) }
    var container = encoder.singleValueContainer()
    try container.encode(Dictionary(pairs, uniquingKeysWith: { $1 }))
  }
}

extension Results: Encodable where Element: Encodable {
  /// Writes an array of the elements in the version that is read now, one after the other: those that are written
  /// are not held.
  ///
  /// - Parameter encoder: where to.
  /// - Throws: what an element or the encoder throws.
  public func encode(to encoder: any Encoder) throws { try encoder.encodeEach(of: self) }
}

extension LinkingObjects: Encodable {
  /// Writes an array of the primary keys of the objects, whatever ``LinkCoding`` says: nested objects would lead back
  /// to where they were linked from.
  ///
  /// - Parameter encoder: where to.
  /// - Throws: `EncodingError.invalidValue` for a class without a primary key; what the encoder throws.
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
