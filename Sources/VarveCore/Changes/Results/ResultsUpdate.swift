import VarveEncoding
import VarveStorage

/// The changes between the results of two versions.
///
/// Elements are identified by their positions in the source. In a whole class, where each object
/// occurs once and the objects are in id order, the position of an object is its id.
///
/// Thread safety: one thread at a time.
struct ResultsUpdate {
  typealias Element = PositionedElements.Element

  let old: ResultsVersion
  let new: ResultsVersion
  /// The elements of the source in the new version; nil for a whole class.
  private(set) var elements: PositionedElements?
  /// The elements that left the source.
  private let removed: [Element]
  /// The elements that entered the source.
  private let inserted: [Element]
  /// The positions of the elements that left and entered; empty for a whole class.
  private let replaced: ResultsSource.Changes
  /// The objects of the class for which the condition may be true in only one version; ascending
  /// ids.
  private let tested: [UInt64]
  /// The objects of the class whose sort keys may differ; ascending ids.
  private let sorted: [UInt64]

  /// Finds the changes of the source. Returns nil if so much changed that running the query again
  /// costs less, or if the elements are not the elements of the old version.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - source: The source of its elements; nil for a whole class.
  ///   - elements: The elements in the old version; nil for a whole class.
  ///   - schema: The class of the elements.
  ///   - difference: The difference between the two versions.
  ///   - store: The store of both versions.
  /// - Throws: `.corrupted`, or `.unknownProperty` and `.invalidInput` for a path that the class
  ///   lacks.
  /// - Complexity: O(changed and affected objects), plus the cost of
  ///   ``ResultsSource/changes(of:_:_:)``.
  init?(
    _ query: ElementQuery, _ source: ResultsSource?, _ elements: PositionedElements?,
    _ schema: ClassSchema, _ difference: VersionDifference, _ store: StoreFile
  ) throws(Failure) {
    let affected = AffectedObjects(difference)
    let dependencies = try QueryDependencies(query, in: difference.schema)
    tested = try affected.ids(of: schema, along: dependencies.condition)
    sorted = try affected.ids(of: schema, along: dependencies.order)
    self.elements = elements
    if let source, let elements {
      guard let changes = try source.changes(of: elements, schema, difference),
        changes.count <= 64 + elements.count / 8,
        let (removed, inserted) = self.elements?.replace(changes)
      else { return nil }
      (self.removed, self.inserted, replaced) = (removed, inserted, changes)
    } else {
      let own = try difference.objects(ofClass: schema.id)
      let count = own.deleted.count + own.inserted.count + tested.count + sorted.count
      guard count <= 64 + difference.new.count(schema.table) / 8 else { return nil }
      removed = own.deleted.map { Element(prefix: $0, id: $0) }
      inserted = own.inserted.map { Element(prefix: $0, id: $0) }
      replaced = ResultsSource.Changes()
    }
    old = try ResultsVersion(query, elements, ReadScope(difference.old, of: store))
    new = try ResultsVersion(query, self.elements, ReadScope(difference.new, of: store))
  }

  /// Returns the changes of results that are the whole source in its order.
  ///
  /// - Parameter watched: The ids of the objects that count as modified, ascending.
  mutating func positions(watched: [UInt64]) -> IndexChanges {
    var changes = IndexChanges()
    changes.deletions = replaced.deletions
    changes.insertions = replaced.insertions
    changes.addModifications(at: elements?.indexes(of: watched) ?? IndexRanges())
    return changes
  }

  /// Returns the edits of results that are filtered or sorted.
  ///
  /// - Parameter watched: The ids of the objects that count as modified, ascending.
  /// - Throws: `.corrupted`.
  /// - Complexity: O(k log n) for k changes and objects.
  mutating func edits(watched: [UInt64]) throws(Failure) -> OrderEdits {
    var edits = OrderEdits()
    for element in removed where try old.matches(element.id) {
      edits.removed.append(try old.entry(element))
    }
    for element in inserted where try new.matches(element.id) {
      edits.inserted.append(try new.entry(element))
    }
    // The positions that already have an edit.
    var named = Set(elements == nil ? [] : inserted.map(\.prefix))
    for element in staying(tested) where !named.contains(element.prefix) {
      let wasMember = try old.matches(element.id)
      guard try new.matches(element.id) != wasMember else { continue }
      named.insert(element.prefix)
      if wasMember {
        edits.removed.append(try old.entry(element))
      } else {
        edits.inserted.append(try new.entry(element))
      }
    }
    for element in staying(sorted) where !named.contains(element.prefix) {
      guard try new.matches(element.id) else { continue }
      named.insert(element.prefix)
      let (before, after) = (try old.entry(element), try new.entry(element))
      edits.rekeyed.append(
        .init(
          id: before.id, old: before.prefix, new: after.prefix,
          isWatched: watched.containsAscending(element.id)))
    }
    for element in staying(watched) where !named.contains(element.prefix) {
      if try new.matches(element.id) { edits.modified.append(try old.entry(element)) }
    }
    return edits
  }

  /// Returns the elements of the new version that are one of the given objects. In a whole class,
  /// the elements of both versions.
  private mutating func staying(_ objects: [UInt64]) -> [Element] {
    if elements != nil { return elements?.find(objects) ?? [] }
    return objects.compactMap { id in
      old.exists(id) && new.exists(id) ? Element(prefix: id, id: id) : nil
    }
  }
}
