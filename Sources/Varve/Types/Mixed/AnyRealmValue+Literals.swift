extension AnyRealmValue: ExpressibleByNilLiteral {
  /// Creates ``none``.
  public init(nilLiteral: ()) { self = .none }
}

extension AnyRealmValue: ExpressibleByBooleanLiteral {
  /// Creates a Bool.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension AnyRealmValue: ExpressibleByIntegerLiteral {
  /// Creates an integer.
  public init(integerLiteral value: Int) { self = .int(value) }
}

extension AnyRealmValue: ExpressibleByFloatLiteral {
  /// Creates a Double.
  public init(floatLiteral value: Double) { self = .double(value) }
}

extension AnyRealmValue: ExpressibleByStringLiteral {
  /// Creates a string.
  public init(stringLiteral value: String) { self = .string(value) }
}

extension AnyRealmValue: ExpressibleByArrayLiteral {
  /// Creates a list.
  public init(arrayLiteral elements: AnyRealmValue...) { self = .fromArray(elements) }
}

extension AnyRealmValue: ExpressibleByDictionaryLiteral {
  /// Creates a dictionary. For duplicate keys, the last value is used.
  public init(dictionaryLiteral elements: (String, AnyRealmValue)...) {
    self = .fromDictionary(Dictionary(elements, uniquingKeysWith: { $1 }))
  }
}
