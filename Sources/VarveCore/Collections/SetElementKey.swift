package import VarveEncoding

/// What tells the elements of a set apart, and puts them in order: as their keys in a file do.
///
/// -0.0 is 0.0, every NaN is the same one, below all numbers, and null comes first; strings compare by their UTF-8
/// bytes; numbers of a mixed set meet across types.
///
/// Thread safety: an immutable value.
package struct SetElementKey: Hashable, Comparable, Sendable {
  private let key: OrderedKey

  /// - Parameters:
  ///   - element: the element.
  ///   - type: of the elements of the set.
  package init(_ element: Value, _ type: PropertyType) {
    var key = OrderedKey()
    key.appendWhole(element, propertyType: type)
    self.key = key
  }

  /// The order of the elements.
  package static func < (a: SetElementKey, b: SetElementKey) -> Bool { a.key < b.key }
}
