import VarveCore
import VarveEncoding

/// An ordered collection of values or objects of a realm: ``List``, ``MutableSet``, ``Results``,
/// ``LinkingObjects`` and ``AnyRealmCollection``.
///
/// The protocol declares the operations that all collections share: queries, sorting, aggregates,
/// observing and freezing.
///
/// An index out of bounds traps on a frozen collection. On a live collection, which another task
/// may have shortened or moved to another version, reading out of bounds returns an invalidated
/// object or the zero value. Inside a write it also marks the transaction as failed with
/// `.indexOutOfBounds`.
///
/// Only types of this library conform to the protocol.
///
/// Thread safety: any thread or task may use a collection. Iteration (`for`, `map`, `Array(_:)`)
/// pins one version until it ends.
public protocol RealmCollection<Element>: _LiveCollection, CustomStringConvertible, ThreadConfined
where Element: RealmCollectionValue {
  /// The first element; nil when the collection is empty.
  var first: Element? { get }

  /// The last element; nil when the collection is empty.
  var last: Element? { get }

  /// Returns the index of the first element that is equal to the given one; nil when there is
  /// none.
  ///
  /// Values are compared with `==`. Objects are equal when they refer to the same stored object, in
  /// any version, or are the same unmanaged instance. An object of another store is not in the
  /// collection, even if it has the same primary key.
  ///
  /// - Complexity: O(n).
  func index(of element: Element) -> Int?

  /// The elements as results; nil for an unmanaged collection.
  var _$results: Results<Element>? { get }

  /// Returns the observation of the collection.
  func _$observation(_ keyPaths: [String]?) throws -> _CollectionObservation<Self>
}

extension RealmCollection {
  /// Returns the index of the first element that is equal to the given one; nil when there is
  /// none. See ``index(of:)``.
  ///
  /// - Complexity: O(n).
  public func firstIndex(of element: Element) -> Int? { index(of: element) }

  /// Returns whether the collection contains an element that is equal to the given one; see
  /// ``index(of:)``.
  ///
  /// - Complexity: O(n).
  public func contains(_ element: Element) -> Bool { index(of: element) != nil }

  /// Returns the elements at the given indexes, in the order of the indexes.
  ///
  /// - Precondition: For frozen and unmanaged collections, the indexes are in bounds.
  public func objects(at indexes: some Sequence<Int>) -> [Element] { indexes.map { self[$0] } }

  /// The elements as results, on which filters and sorts are built.
  ///
  /// - Precondition: The collection is managed.
  var queried: Results<Element> {
    _$results
      ?? UnmanagedUse.emptyResults(
        "An unmanaged collection cannot be queried: its results would have no realm. "
          + "Add its object to a realm, inside a write, and query the collection then; or use "
          + "filter { } and sorted { }, which work on the elements in memory.")
  }
}
