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
  /// The encoded names of the properties, as they are found.
  struct Found {
    /// The name of each property; nil for one that the keys leave out. A property without an entry
    /// has its own name.
    var names: [String: String?] = [:]
    /// What is wrong with the keys of the class.
    var fault: String?
    /// The `CodingKeys` of the class and its superclasses.
    fileprivate var used: Set<ObjectIdentifier> = []
    /// Whether the keys of which an instance was seen are an enumeration.
    fileprivate var enumerations: [ObjectIdentifier: Bool] = [:]
  }

  /// The properties that one class declares itself.
  private struct Part {
    let owner: ObjectBase.Type
    /// What the name `CodingKeys` refers to in the class, possibly an inherited type, or the
    /// placeholder.
    let keys: Any
    var properties: [(name: String, key: Any)] = []
  }

  /// One for each class.
  private var parts: [Part] = []
  /// The index of the class that properties are added to.
  private var current = 0

  /// Begins with the properties that a class declares itself.
  ///
  /// `keys`: the type that its name `CodingKeys` refers to, possibly an inherited one, or the
  /// placeholder.
  public mutating func _$begin(_ owner: ObjectBase.Type, _ keys: Any) {
    current = parts.firstIndex { $0.owner == owner } ?? parts.count
    if current == parts.count { parts.append(Part(owner: owner, keys: keys)) }
  }

  /// Adds a property.
  ///
  /// `key`: its key, or what else a member of the keys with this name is, or the placeholder.
  public mutating func _$add(_ property: String, _ key: Any) {
    guard !parts.isEmpty else { return }
    parts[current].properties.append((property, key))
  }

  /// The names, with superclasses first, in whatever order the classes were added: keys belong to
  /// the first class whose name `CodingKeys` refers to them.
  var found: Found {
    var found = Found()
    for part in parts.sorted(by: { Self.depth($0.owner) < Self.depth($1.owner) }) {
      let areInherited = found.begin(part.owner, part.keys)
      guard let keys = part.keys as? any CodingKey.Type else { continue }
      for property in part.properties {
        found.add(property.name, property.key, keys, areInherited)
      }
    }
    return found
  }

  /// The number of superclasses.
  private static func depth(_ type: AnyClass) -> Int {
    sequence(first: type, next: { _getSuperclass($0) }).reduce(0) { count, _ in count + 1 }
  }
}

extension _CodingNames.Found {
  /// - Returns: Whether the keys are those of a superclass.
  fileprivate mutating func begin(_ owner: ObjectBase.Type, _ keys: Any) -> Bool {
    guard let type = keys as? any Any.Type else { return false }
    let areInherited = !used.insert(ObjectIdentifier(type)).inserted
    if !(type is any CodingKey.Type), !areInherited {
      fault = "The type '\(type)' of class '\(owner)' does not conform to CodingKey."
    }
    return areInherited
  }

  fileprivate mutating func add(
    _ property: String, _ key: Any, _ keys: any CodingKey.Type, _ areInherited: Bool
  ) {
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
    let found = names.found
    self.names = properties.map { property in
      if let name = found.names[property.name] { name } else { property.name }
    }
    fault = found.fault ?? Self.clash(of: self.names, properties, in: type)
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
