import VarveLocks

/// The `CodingKeys` of a class, as generated code refers to them.
///
/// The compiler prefers ``own``, the class itself. Where an expression that continues it does not
/// compile, because the class has no `CodingKeys` or these lack a property, it uses the
/// placeholder.
public struct _CodingKeysOf<Class>: _CodingKeysFallback, Sendable {
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
/// Keys that are an enumeration list the properties that are coded. A class uses its own, and not
/// those that it inherits: a subclass of a class with such keys codes its own properties under their
/// names. Keys of any other type, such as a structure, return the key of each property from their
/// `init(stringValue:)`, unless they have a static member for it. Subclasses inherit them.
public struct _CodingNames {
  /// The encoded name of each property; nil for a property that the keys leave out. A property
  /// without an entry has its own name.
  private(set) var names: [String: String?] = [:]
  /// What is wrong with the keys of the class.
  private(set) var fault: String?
  private var owner: ObjectIdentifier?
  /// The keys that the name `CodingKeys` refers to in the class; nil for none.
  private var keys: (any CodingKey.Type)?
  /// Whether the keys are those of a superclass.
  private var areInherited = false
  /// The `CodingKeys` of the class and its superclasses.
  private var used: Set<ObjectIdentifier> = []
  /// Whether the keys of which an instance was seen are an enumeration.
  private var enumerations: [ObjectIdentifier: Bool] = [:]

  /// Begins with the properties that a class declares itself.
  ///
  /// `keys`: the type that its name `CodingKeys` refers to, possibly an inherited one, or the
  /// placeholder.
  public mutating func _$begin(_ owner: ObjectBase.Type, _ keys: Any) {
    guard self.owner != ObjectIdentifier(owner) else { return }
    self.owner = ObjectIdentifier(owner)
    self.keys = nil
    guard let type = keys as? any Any.Type else { return }
    self.keys = type as? any CodingKey.Type
    areInherited = !used.insert(ObjectIdentifier(type)).inserted
    if self.keys == nil, !areInherited {
      fault = "The type '\(type)' of class '\(owner)' does not conform to CodingKey."
    }
  }

  /// Adds a property.
  ///
  /// `key`: its key, or what else a member of the keys with this name is, or the placeholder.
  public mutating func _$add(_ property: String, _ key: Any) {
    guard let keys else { return }
    let id = ObjectIdentifier(keys)
    var key = key as? any CodingKey
    let isMember = key != nil
    if !isMember, enumerations[id] != true { key = keys.init(stringValue: property) }
    if let key, enumerations[id] == nil, type(of: key) == keys {
      enumerations[id] = Mirror(reflecting: key).displayStyle == .enum
    }
    // Keys of which no instance was seen are taken for an enumeration.
    let isEnumeration = enumerations[id] ?? true
    if areInherited, isEnumeration { return }
    names.updateValue(isMember || !isEnumeration ? key?.stringValue : nil, forKey: property)
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
    self.names = properties.map { property in
      if let name = names.names[property.name] { name } else { property.name }
    }
    fault = names.fault ?? Self.clash(of: self.names, properties, in: type)
  }

  /// Describes two properties with one name, of which only one could be coded; nil for none.
  private static func clash(
    of names: [String?], _ properties: [PropertyDescriptor], in type: ObjectBase.Type
  ) -> String? {
    var owners: [String: String] = [:]
    for (name, property) in zip(names, properties) {
      guard let name else { continue }
      if let other = owners.updateValue(property.name, forKey: name) {
        return "The properties '\(other)' and '\(property.name)' of class '\(type)' "
          + "have the same coding key '\(name)'."
      }
    }
    return nil
  }
}
