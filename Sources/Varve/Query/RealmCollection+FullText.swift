import VarveCore
import VarveEncoding

/// An object that a search for words found.
///
/// Thread safety: that of the object.
public struct RankedObject<Element: ObjectBase> {
  /// The object.
  public let object: Element
  /// How well its text fits, greater is better: for each word how often it stands in the text, times a weight that is the
  /// greater the fewer objects have the word. Ranks of one search compare with each other and with nothing else.
  public let rank: Double
}

extension RealmCollection where Element: ObjectBase {
  /// The objects whose text has some words, those that fit best first.
  ///
  /// ```swift
  /// for hit in contacts.search("sea storm*", in: \.notes, limit: 10) { print(hit.rank, hit.object.notes) }
  /// ```
  /// ``Query/fullTextSearch(_:)`` finds the same objects, in the order of the collection, as one part of a condition among
  /// others.
  ///
  /// - Parameters:
  ///   - words: the words, all of which the text has to have; one that begins with `-` must not be there, and one that ends
  ///     with `*` stands for all that begin so.
  ///   - keyPath: a property of the class itself with a full-text index: `@Persisted(fullText: true)`.
  ///   - limit: how many objects are given at most.
  /// - Precondition: the collection is managed, and the property has such an index.
  /// - Returns: the objects, of the version that is read now. Those of equal rank come in the order of their class. A failure
  ///   gives nothing, and dooms the running write or is logged.
  /// - Complexity: O(objects that have one of the words), and the query of the collection.
  public func search<V: _QueryString>(
    _ words: String, in keyPath: KeyPath<Element, V>, limit: Int = .max
  ) -> [RankedObject<Element>] {
    let path = ClassInfo.path(keyPath)
    let info = ClassInfo.of(Element.self)
    guard path.count == 1,
      info.description.indexes.contains(
        IndexDescription(kind: .fullText, propertyNames: path))
    else {
      QueryMisuse.trap(
        "'\(info.name).\(path.joined(separator: "."))' has no full-text index, so that nothing can be ranked: mark it "
          + "@Persisted(fullText: true).")
    }
    // All in one version.
    let results = queried.context.transaction == nil ? queried.freeze() : queried
    let live = queried
    live.handle.noteSearch(path[0])
    return results.handle.ranked(words, in: path[0], limit: Swift.max(0, limit)).compactMap {
      match in
      live.object(match.id).map { RankedObject(object: $0, rank: match.rank) }
    }
  }
}
