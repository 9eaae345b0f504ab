import VarveCore
import VarveEncoding

/// An ordered collection of values or objects of a realm: ``List``, ``MutableSet``, ``Results``, ``LinkingObjects`` and
/// ``AnyRealmCollection``.
///
/// What all of them know is declared here, once: queries, sorting, aggregates, observing, freezing.
///
/// An index out of bounds traps on a frozen collection; on a live one, which another task may have shortened or moved,
/// reading gives an invalidated object or the zero value. Inside a write it dooms the write with `.indexOutOfBounds`.
///
/// The library's conformances are all there are.
///
/// Thread safety: any thread or task may use a collection. Walking it (`for`, `map`, `Array(_:)`) pins one version for
/// the walk.
public protocol RealmCollection<Element>: _LiveCollection, CustomStringConvertible, ThreadConfined
where Element: RealmCollectionValue {
  /// The first element; nil when there is none.
  var first: Element? { get }

  /// The last element; nil when there is none.
  var last: Element? { get }

  /// The place of the first element that is equal to another.
  ///
  /// Values are equal when `==` of their type says so. Objects are equal when they stand for one stored object, at
  /// whatever versions, or are the same unmanaged one; an object of another store is not in the collection, though it
  /// may have the same primary key.
  ///
  /// - Parameter element: the other.
  /// - Returns: nil when there is none.
  /// - Complexity: O(n).
  func index(of element: Element) -> Int?

  /// The elements as results; nil for an unmanaged collection.
  var _$results: Results<Element>? { get }

  /// How the collection is observed.
  func _$observation(_ keyPaths: [String]?) throws -> _CollectionObservation<Self>
}

extension RealmCollection {
  /// The place of the first element that is equal to another; see ``index(of:)``.
  ///
  /// - Parameter element: the other.
  /// - Returns: nil when there is none.
  /// - Complexity: O(n).
  public func firstIndex(of element: Element) -> Int? { index(of: element) }

  /// Whether an element is equal to another; see ``index(of:)``.
  ///
  /// - Parameter element: the other.
  /// - Returns: whether there is one.
  /// - Complexity: O(n).
  public func contains(_ element: Element) -> Bool { index(of: element) != nil }

  /// The elements at some places, in the order of the places.
  ///
  /// - Parameter indexes: the places.
  /// - Precondition: for frozen and unmanaged collections, the places are in bounds.
  /// - Returns: the elements.
  public func objects(at indexes: some Sequence<Int>) -> [Element] { indexes.map { self[$0] } }

  /// The elements as results, to be narrowed and sorted.
  ///
  /// - Precondition: the collection is managed.
  var queried: Results<Element> {
    _$results
      ?? UnmanagedUse.emptyResults(
        "An unmanaged collection cannot be queried: its results would have no realm. Add its object to a realm, "
          + "inside a write, and query the collection then; or use filter { } and sorted { }, which work on the "
          + "elements in memory.")
  }
}
