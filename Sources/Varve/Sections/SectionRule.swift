import VarveCore
import VarveEncoding

/// How the elements of a collection are put in sections.
struct SectionRule<Element: RealmCollectionValue, Key: _Persistable & Hashable>: @unchecked Sendable
{
  // Safe because a key path that leads to a property captures nothing that changes; closures are Sendable.

  /// The key of an element's section.
  let key: (Element) -> Key
  /// The order of the sections; nil: that of their first elements.
  let order: Sectioning<Key>.Order?
  /// The names of the links and the stored property that the key is; nil for anything else.
  let path: [String]?

  init(_ key: @escaping @Sendable (Element) -> Key, order: Sectioning<Key>.Order? = nil) {
    self.key = key
    self.order = order
    path = nil
  }

  /// `order`: that of the sections, where the key is no stored property.
  init(_ keyPath: KeyPath<Element, Key>, orderUnlessStored order: Sectioning<Key>.Order? = nil)
  where Element: _KeyPathNamed {
    key = { $0[keyPath: keyPath] }
    path = try? Element._$names(of: keyPath)
    self.order = path == nil ? order : nil
  }

  /// The sections of all elements.
  func sections(of elements: Results<Element>) -> Sectioning<Key> {
    Sectioning(elements.map(key), order: order)
  }

  /// The key paths to watch: those asked for, and the key.
  func watched(_ keyPaths: [String]?) -> [String]? {
    keyPaths.map { $0 + (path.map { [$0.joined(separator: ".")] } ?? []) }
  }

  /// The order of keys by their values: null first when ascending.
  static func order(ascending: Bool) -> Sectioning<Key>.Order {
    { left, right in
      let (first, second) = ascending ? (left, right) : (right, left)
      guard let first = first._$boxed.value, let second = second._$boxed.value else { return false }
      if first.isNull || second.isNull { return first.isNull && !second.isNull }
      return first.compared(to: second) == .ascending
    }
  }
}
