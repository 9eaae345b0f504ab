package import VarveEncoding

/// The key that identifies and orders the elements of a set, as their keys in a file do.
///
/// -0.0 equals 0.0. All NaNs are equal and less than all numbers. Null comes first. Strings compare
/// by their UTF-8 bytes. Numbers in a set of mixed values compare across types.
package struct SetElementKey: Hashable, Comparable, Sendable {
  private let key: OrderedKey

  /// - Parameters:
  ///   - element: The element.
  ///   - type: The type of the set's elements.
  package init(_ element: Value, _ type: PropertyType) {
    var key = OrderedKey()
    key.appendWhole(element, propertyType: type)
    self.key = key
  }

  /// Compares two elements in the order of the set.
  package static func < (a: SetElementKey, b: SetElementKey) -> Bool { a.key < b.key }
}
