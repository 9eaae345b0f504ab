extension AnyRealmValue: ExpressibleByNilLiteral {
  /// No value.
  public init(nilLiteral: ()) { self = .none }
}

extension AnyRealmValue: ExpressibleByBooleanLiteral {
  /// A Bool.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension AnyRealmValue: ExpressibleByIntegerLiteral {
  /// An integer.
  public init(integerLiteral value: Int) { self = .int(value) }
}

extension AnyRealmValue: ExpressibleByFloatLiteral {
  /// A Double.
  public init(floatLiteral value: Double) { self = .double(value) }
}

extension AnyRealmValue: ExpressibleByStringLiteral {
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
}

extension AnyRealmValue: ExpressibleByArrayLiteral {
  /// A list.
  public init(arrayLiteral elements: AnyRealmValue...) { self = .fromArray(elements) }
}

extension AnyRealmValue: ExpressibleByDictionaryLiteral {
  /// A dictionary; of equal keys the last one counts.
  public init(dictionaryLiteral elements: (String, AnyRealmValue)...) {
    self = .fromDictionary(Dictionary(elements, uniquingKeysWith: { $1 }))
  }
}
