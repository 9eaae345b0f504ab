package import VarveEncoding

/// The rule for names of properties that are given as text, and the only place that applies it.
///
/// A name is the declared one: that of the program's class. The stored name of a property with an
/// alias is not accepted beside it, because it may be the declared name of another property. A
/// class that the program does not declare has its stored names.
///
/// Everything that names properties above the schema uses declared names: paths of queries, sort
/// keys, watched key paths, projections, key-value access. Layouts, indexes and editors use stored
/// names.
extension ClassDescription {
  /// Returns the index of the property with a declared name in `properties`; nil for none.
  ///
  /// - Complexity: O(1).
  package func knownSlot(named name: String) -> Int? { slotByName[name] }

  /// Returns the index of the property with a declared name in `properties`.
  ///
  /// - Throws: `.unknownProperty`.
  package func slot(named name: String) throws(Failure) -> Int {
    guard let slot = slotByName[name] else { throw .unknownProperty(name, self.name) }
    return slot
  }

  /// Returns the property with a stored name; nil for none.
  ///
  /// - Complexity: O(properties).
  package func property(storedAs name: String) -> PropertyDescription? {
    properties.first { $0.name == name }
  }

  /// Returns the property that linking objects link through; nil for other properties.
  package func originProperty(of property: PropertyDescription) -> PropertyDescription? {
    property.originPropertyName.flatMap { targetClass(of: property)?.property(storedAs: $0) }
  }

  /// Returns the declared name of a property that the file stores. It is the stored name if the
  /// program does not declare the property.
  ///
  /// - Complexity: O(properties).
  package func declaredName(of property: StoredProperty) -> String {
    self.property(storedAs: property.name)?.alias ?? property.name
  }
}

extension ClassSchema {
  /// Returns the name of a property for an error: the declared one if the program declares it.
  ///
  /// - Complexity: O(classes).
  package func declaredName(of property: StoredProperty) -> String {
    UsedClasses.declaredName(of: property, ofClass: name)
  }
}
