package import VarveEncoding
import VarveLocks

/// The model classes that this process has used, in any store.
///
/// Thread safety: a lock guards them.
package enum UsedClasses {
  /// Guards the classes. No code of a model runs under it.
  private static let classes = Lock<[ClassDescription]>([])
  /// Guards the function that finds classes of the program that were not used.
  private static let finder = Lock<(@Sendable (String) -> ClassDescription?)?>(nil)

  static func insert(_ model: ClassDescription) { classes.withLock { $0.append(model) } }

  static var all: [ClassDescription] { classes.withLock { $0 } }
  static var count: Int { classes.withLock { $0.count } }

  /// Sets the function that finds a class of the program by its name, whether it was used or not.
  package static func setFinder(_ find: @escaping @Sendable (String) -> ClassDescription?) {
    finder.withLock { $0 = find }
  }

  /// Returns the declaration of a property in a class with a name, if it is of the same kind:
  /// preferably one with a default that is an expression.
  static func declaration(
    of property: StoredProperty, ofClass className: String
  ) -> (ClassDescription, PropertyDescription)? {
    _ = named(className)
    let declared = all.filter { $0.name == className }.compactMap { model in
      model.properties.first { $0.name == property.name && $0.kind == property.kind }
        .map { (model, $0) }
    }
    return declared.first { $1.defaultExpression != nil } ?? declared.first
  }

  /// Returns the declared name of a property in the class with a name; its stored name if the program
  /// does not declare it.
  ///
  /// - Complexity: O(classes).
  static func declaredName(of property: StoredProperty, ofClass className: String) -> String {
    _ = named(className)
    for model in all where model.name == className {
      if let declared = model.property(storedAs: property.name) { return declared.alias }
    }
    return property.name
  }

  /// Returns a default of a property as the program declares it; nil if the program does not.
  package static func makeDefault(_ property: StoredProperty, _ className: String) -> Value? {
    declaration(of: property, ofClass: className)?.1.makeDefault()
  }

  /// Returns the class with a name: one that was used, or one that the finder returns.
  ///
  /// - Complexity: O(classes).
  static func named(_ name: String) -> ClassDescription? {
    if let used = all.first(where: { $0.name == name }) { return used }
    let find = finder.withLock { $0 }
    return find?(name)
  }
}
