import VarveCore
import VarveEncoding

/// The assignment of the elements of a collection to sections.
struct SectionRule<Element: RealmCollectionValue, Key: _Persistable & Hashable>: @unchecked Sendable
{
  // Safe because a key path to a property captures nothing that changes; closures are Sendable.

  /// Returns the key of an element's section.
  let key: (Element) -> Key
  /// The order of the sections; nil sorts them by their first elements.
  let order: Sectioning<Key>.Order?
  /// The names of the links and of the stored property that is the key; nil when the key is not a
  /// stored property.
  let path: [String]?

  init(_ key: @escaping @Sendable (Element) -> Key, order: Sectioning<Key>.Order? = nil) {
    self.key = key
    self.order = order
    path = nil
  }

  /// - Parameter order: The order of the sections when the key is not a stored property.
  init(_ keyPath: KeyPath<Element, Key>, orderUnlessStored order: Sectioning<Key>.Order? = nil)
  where Element: _KeyPathNamed {
    key = { $0[keyPath: keyPath] }
    path = try? Element._$names(of: keyPath)
    self.order = path == nil ? order : nil
  }

  /// Returns the sections of all elements.
  func sections(of elements: Results<Element>) -> Sectioning<Key> {
    Sectioning(elements.map(key), order: order)
  }

  /// Returns the key paths to watch: the requested ones and the key.
  func watched(_ keyPaths: [String]?) -> [String]? {
    keyPaths.map { $0 + (path.map { [$0.joined(separator: ".")] } ?? []) }
  }

  /// Returns the order of keys by their values: null first in ascending order.
  static func order(ascending: Bool) -> Sectioning<Key>.Order {
    { left, right in
      let (first, second) = ascending ? (left, right) : (right, left)
      guard let first = first._$boxed.value, let second = second._$boxed.value else { return false }
      if first.isNull || second.isNull { return first.isNull && !second.isNull }
      return first.compared(to: second) == .ascending
    }
  }
}
