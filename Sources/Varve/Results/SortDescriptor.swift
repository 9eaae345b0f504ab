import VarveCore

/// A property to sort by, and the direction.
///
/// A name that stands in the program's text is looked up when something is sorted by it: a wrong one
/// ends the program with a message. One that is known only when the program runs needs its class, and is
/// looked up at once: ``init(keyPath:of:ascending:)`` throws.
///
/// Thread safety: an immutable value.
public struct SortDescriptor: Hashable, Sendable {
  private(set) var key: ElementQuery.SortKey

  /// How strings are ordered. None depends on a language.
  public enum Collation: Sendable, Hashable {
    /// By their UTF-8 bytes: capital letters before small ones, and accented letters last. An index has this order.
    case binary
    /// By letters first, whatever their case and accents; of strings with equal letters those without accents come first,
    /// and capital letters.
    case unicode
    /// Without regard to case: strings that differ in nothing else are equal, and keep the order before.
    case caseInsensitive

    var textCollation: TextCollation {
      switch self {
      case .binary: .bytes
      case .unicode: .unicode
      case .caseInsensitive: .caseless
      }
    }
  }

  /// The same order, with strings compared in another way.
  ///
  /// ```swift
  /// people.sorted(by: [SortDescriptor(keyPath: "name").collated(.unicode), "age"])
  /// ```
  /// - Parameter collation: how strings are compared. Only properties of the type String, or String?, may have another one
  ///   than `.binary`.
  /// - Returns: the descriptor.
  public func collated(_ collation: Collation) -> SortDescriptor {
    var descriptor = self
    descriptor.key.collation = collation.textCollation
    return descriptor
  }

  /// Sorts by a property.
  ///
  /// - Parameters:
  ///   - keyPath: the name of the property, or names of to-one links and the property, separated by
  ///     dots.
  ///   - ascending: the direction.
  public init(keyPath: StaticString, ascending: Bool = true) {
    key = SortDescriptor.key(keyPath.description, ascending)
  }

  /// Sorts by a property, which the compiler checks.
  ///
  /// ```swift
  /// dogs.sorted(by: [SortDescriptor(keyPath: \Dog.age, ascending: false), "name"])
  /// ```
  /// - Parameters:
  ///   - keyPath: a persisted property, or a chain of to-one links that ends in one.
  ///   - ascending: the direction.
  /// - Precondition: the key path is that.
  public init<Root: ObjectBase>(keyPath: PartialKeyPath<Root>, ascending: Bool = true) {
    key = ElementQuery.SortKey(path: ClassInfo.path(keyPath), isAscending: ascending)
  }

  /// The name of the property, or names of to-one links and the property, separated by dots.
  public var keyPath: String { key.path.joined(separator: ".") }

  /// The direction.
  public var ascending: Bool { key.isAscending }

  /// Sorts by a property whose name is known only when the program runs.
  ///
  /// - Parameters:
  ///   - keyPath: the name of the property, or names of to-one links and the property, separated by
  ///     dots.
  ///   - type: the class of the objects to sort. For ``DynamicObject`` the name is looked up when something is sorted by
  ///     it: one that the class does not have gives no results then, and dooms the write or is logged.
  ///   - ascending: the direction.
  /// - Throws: `Realm.Error` naming class and property: `.unknownProperty` for a name that its class
  ///   does not have, `.invalidInput` for a collection, linking objects, a link, or a path through what
  ///   is no to-one link.
  public init(keyPath: String, of type: ObjectBase.Type, ascending: Bool = true) throws {
    key = SortDescriptor.key(keyPath, ascending)
    let model = ClassInfo.of(type).description
    if model.isDynamic { return }
    try Realm.Error.translating { try key.check(on: model) }
  }

  /// Refuses a name that is known only when the program runs, without its class.
  @available(
    *, unavailable,
    message: "a string that is no literal needs its class: try SortDescriptor(keyPath:of:)"
  )
  @_disfavoredOverload
  public init(keyPath: some StringProtocol, ascending: Bool = true) {
    preconditionFailure("A string that is no literal needs its class.")
  }

  static func key(_ keyPath: String, _ isAscending: Bool) -> ElementQuery.SortKey {
    ElementQuery.SortKey(path: DottedPath.names(keyPath), isAscending: isAscending)
  }

  /// The same property in the other direction.
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
  /// Sorts by a property, ascending.
  public init(stringLiteral keyPath: StaticString) { self.init(keyPath: keyPath) }
}
