import VarveLocks

/// The `CodingKeys` of a class, as generated code refers to them.
///
/// The compiler prefers ``own``, the class itself. Where an expression that continues it does not
/// compile, because the class has no `CodingKeys` or these lack a property, it uses the
/// placeholder.
public struct _CodingKeysOf<Class>: _CodingKeysFallback {
  /// Creates the reference.
  public init(_ type: Class.Type) {}
  /// The class.
  public var own: Class.Type { Class.self }
}

/// The source of the placeholder. See ``_CodingKeysOf``.
public protocol _CodingKeysFallback {}

extension _CodingKeysFallback {
  /// A placeholder for a class without `CodingKeys`.
  @_disfavoredOverload public var own: _MissingCodingKey { _MissingCodingKey() }
}

/// The placeholder for a coding key that a class does not have. See ``_CodingKeysOf``.
@dynamicMemberLookup
public struct _MissingCodingKey {
  /// The placeholder for any member.
  public subscript(dynamicMember name: String) -> _MissingCodingKey { self }
}

/// The names under which the properties of a class are coded. Generated code adds them.
///
/// A class uses its own `CodingKeys`, and not those that it inherits: a subclass of a class with
/// keys codes its own properties under their names.
public struct _CodingNames {
  /// The encoded name of each property; nil for a property that the keys leave out. A property
  /// without an entry has its own name.
  private(set) var names: [String: String?] = [:]
  /// What is wrong with the keys of the class.
  private(set) var fault: String?
  private var owner: ObjectIdentifier?
  private var hasKeys = false
  /// The `CodingKeys` of the superclasses.
  private var used: Set<ObjectIdentifier> = []

  /// Begins with the properties that a class declares itself.
  ///
  /// `keys`: the type that its name `CodingKeys` refers to, possibly an inherited one, or the
  /// placeholder.
  public mutating func _$begin(_ owner: ObjectBase.Type, _ keys: Any) {
    guard self.owner != ObjectIdentifier(owner) else { return }
    self.owner = ObjectIdentifier(owner)
    hasKeys = false
    guard let type = keys as? any Any.Type, used.insert(ObjectIdentifier(type)).inserted else {
      return
    }
    hasKeys = true
    if !(type is any CodingKey.Type) {
      fault = "The type '\(type)' of class '\(owner)' does not conform to CodingKey."
    }
  }

  /// Adds a property.
  ///
  /// `key`: its key, or what else a member of the keys with this name is, or the placeholder.
  public mutating func _$add(_ property: String, _ key: Any) {
    guard hasKeys else { return }
    names.updateValue((key as? any CodingKey)?.stringValue, forKey: property)
  }
}

extension ClassInfo {
  /// The names under which the properties are coded, which are found at the first use.
  var codingNames: CodingNames {
    if let names = knownCodingNames.withLock({ $0 }) { return names }
    // Outside of the lock: the keys may be code of the model.
    let names = CodingNames(type, properties)
    knownCodingNames.withLock { $0 = names }
    return names
  }
}

/// The names under which the properties of a class are coded.
struct CodingNames: Sendable {
  /// The names by slot; nil for a property that is not coded.
  let names: [String?]
  /// What is wrong with the keys of the class; nil for keys that can be used.
  let fault: String?

  init(_ type: ObjectBase.Type, _ properties: [PropertyDescriptor]) {
    var names = _CodingNames()
    type._$codingNames(&names)
    ClassInfo.forEachMarker(of: type) { $0.codingName(&names) }
    fault = names.fault
    self.names = properties.map { property in
      if let name = names.names[property.name] { name } else { property.name }
    }
  }
}
