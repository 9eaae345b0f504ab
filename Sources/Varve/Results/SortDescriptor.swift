import VarveCore

/// A property to sort by, and the direction.
///
/// A literal name is looked up when a collection is sorted by it; an unknown name traps with a
/// message. A name given at run time is looked up immediately, and requires the class:
/// ``init(keyPath:of:ascending:)`` throws an error for an unknown name.
public struct SortDescriptor: Hashable, Sendable {
  private(set) var key: ElementQuery.SortKey

  /// The order of strings. No collation depends on a language.
  public enum Collation: Sendable, Hashable {
    /// By UTF-8 bytes: capital letters before lowercase letters, accented letters last. Indexes
    /// have this order.
    case binary
    /// By base letters, ignoring case and accents. Among strings with equal letters, unaccented
    /// ones and capital letters come first.
    case unicode
    /// Case-insensitive: strings that differ only in case are equal, and keep their order.
    case caseInsensitive

    var textCollation: TextCollation {
      switch self {
      case .binary: .bytes
      case .unicode: .unicode
      case .caseInsensitive: .caseless
      }
    }
  }

  /// Returns the descriptor with another collation.
  ///
  /// ```swift
  /// people.sorted(by: [SortDescriptor(keyPath: "name").collated(.unicode), "age"])
  /// ```
  /// - Parameter collation: The comparison of strings. Only properties of type String or String?
  ///   may have a collation other than `.binary`.
  public func collated(_ collation: Collation) -> SortDescriptor {
    var descriptor = self
    descriptor.key.collation = collation.textCollation
    return descriptor
  }

  /// Creates a descriptor for a property given by a literal name.
  ///
  /// - Parameters:
  ///   - keyPath: The name of the property, or a path of to-one links and the property, separated
  ///     by dots.
  ///   - ascending: Whether the order is ascending.
  public init(keyPath: StaticString, ascending: Bool = true) {
    key = SortDescriptor.key(keyPath.description, ascending)
  }

  /// Creates a descriptor for a property given by a key path, which the compiler checks.
  ///
  /// ```swift
  /// dogs.sorted(by: [SortDescriptor(keyPath: \Dog.age, ascending: false), "name"])
  /// ```
  /// - Parameters:
  ///   - keyPath: A persisted property, or a chain of to-one links to one.
  ///   - ascending: Whether the order is ascending.
  /// - Precondition: The key path is a persisted property or a chain of to-one links to one.
  public init<Root: ObjectBase>(keyPath: PartialKeyPath<Root>, ascending: Bool = true) {
    key = ElementQuery.SortKey(path: ClassInfo.path(keyPath), isAscending: ascending)
  }

  /// The name of the property, or a path of to-one links and the property, separated by dots.
  public var keyPath: String { key.path.joined(separator: ".") }

  /// Whether the order is ascending.
  public var ascending: Bool { key.isAscending }

  /// Creates a descriptor for a property given by name at run time.
  ///
  /// - Parameters:
  ///   - keyPath: The name of the property, or a path of to-one links and the property, separated
  ///     by dots.
  ///   - type: The class of the objects to sort. For ``DynamicObject``, the name is looked up when
  ///     a collection is sorted by it. For an unknown name the results are empty, and the error
  ///     marks the running transaction as failed or, outside a write, is logged.
  ///   - ascending: Whether the order is ascending.
  /// - Throws: `Realm.Error` with the class and the property: `.unknownProperty` for a property
  ///   that the class does not have, `.invalidInput` for a collection, linking objects, a link, or
  ///   a path through a property that is not a to-one link.
  public init(keyPath: String, of type: ObjectBase.Type, ascending: Bool = true) throws {
    key = SortDescriptor.key(keyPath, ascending)
    let model = ClassInfo.of(type).description
    if model.isDynamic { return }
    try Realm.Error.translating { try key.check(on: model) }
  }

  /// Unavailable: a name given at run time requires the class.
  @available(
    *, unavailable,
    message: "a string that is not a literal needs its class: use SortDescriptor(keyPath:of:)"
  )
  @_disfavoredOverload
  public init(keyPath: some StringProtocol, ascending: Bool = true) {
    Misuse.trap("A string that is not a literal needs its class.")
  }

  static func key(_ keyPath: String, _ isAscending: Bool) -> ElementQuery.SortKey {
    ElementQuery.SortKey(path: DottedPath.names(keyPath), isAscending: isAscending)
  }

  /// Returns a descriptor for the same property in the opposite direction.
  public func reversed() -> SortDescriptor {
    var descriptor = self
    descriptor.key.isAscending.toggle()
    return descriptor
  }
}

extension SortDescriptor: CustomStringConvertible {
  /// The property and the direction.
  public var description: String {
    "SortDescriptor(keyPath: \(keyPath), direction: \(ascending ? "ascending" : "descending"))"
  }
}

extension SortDescriptor: ExpressibleByStringLiteral {
  /// Creates an ascending descriptor for a property given by a literal name.
  public init(stringLiteral keyPath: StaticString) { self.init(keyPath: keyPath) }
}
