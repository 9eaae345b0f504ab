import VarveCore
import VarveEncoding

/// An object found by a full-text search, with its rank.
///
/// Unstable: a minor release before 1.0 may change this type.
public struct RankedObject<Element: ObjectBase> {
  /// The object.
  public let object: Element
  /// The relevance of the object; a higher rank is better. For each word, the number of its
  /// occurrences in the text is multiplied by a weight, which is greater the fewer objects contain
  /// the word. Compare only ranks of one search.
  public let rank: Double
}

extension RealmCollection where Element: ObjectBase {
  /// Searches a full-text index and returns the matching objects, the most relevant first.
  ///
  /// ```swift
  /// for hit in contacts.search("sea storm*", in: \.notes, limit: 10) {
  ///   print(hit.rank, hit.object.notes)
  /// }
  /// ```
  /// ``Query/fullTextSearch(_:)`` finds the same objects in the order of the collection, and can be
  /// combined with other conditions. Unstable: a minor release before 1.0 may change this method.
  ///
  /// - Parameters:
  ///   - words: The words, all of which the text must contain. A word that begins with `-` must not
  ///     occur, and a word that ends with `*` matches every word with that prefix.
  ///   - keyPath: A property of the class itself with a full-text index:
  ///     `@Persisted(fullText: true)`.
  ///   - limit: The maximum number of objects to return.
  /// - Precondition: The collection is managed, and the property has a full-text index.
  /// - Returns: The matching objects in the current version. Objects of equal rank are in the order
  ///   of their class. On a failure the array is empty, and the error marks the running write
  ///   transaction as failed or, outside a write, is logged.
  /// - Complexity: O(n), where n is the number of objects that contain one of the words, plus
  ///   the query of the collection.
  public func search<V: _QueryString>(
    _ words: String, in keyPath: KeyPath<Element, V>, limit: Int = .max
  ) -> [RankedObject<Element>] {
    let path = ClassInfo.path(keyPath)
    let info = ClassInfo.of(Element.self)
    guard path.count == 1, let slot = info.slot(named: path[0]),
      info.description.indexes.contains(
        IndexDescription(kind: .fullText, propertyNames: [info.properties[slot].columnName]))
    else {
      Misuse.trap(
        "'\(info.name).\(path.joined(separator: "."))' has no full-text index: declare it with "
          + "@Persisted(fullText: true).")
    }
    // Rank all objects in one version.
    let results = queried.context.transaction == nil ? queried.freeze() : queried
    let live = queried
    live.handle.noteSearch(path[0])
    return results.handle.ranked(words, in: path[0], limit: Swift.max(0, limit)).compactMap {
      match in
      live.object(match.id).map { RankedObject(object: $0, rank: match.rank) }
    }
  }
}
