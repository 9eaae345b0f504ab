import VarveEncoding
import VarveStorage

/// The answer of a query on a list, a map or linking objects in one version; and how that changes from version to
/// version.
///
/// Going on to another version looks at what left and entered the source, at the objects that changed, and at those
/// that the condition or the order reads over links. The query is run again where much of the source changed, and where
/// the file's schema did.
///
/// Copies share what they have in common. An object of the source costs some 17 bytes, and one of the answer as much
/// if there is a condition or an order; see ``PlacedElements``.
///
/// Thread safety: a value.
struct ListedResults: Sendable {
  fileprivate enum Order: Sendable {
    /// The objects of the source as they stand there.
    case source
    /// Some of them: the prefix is the place.
    case filtered(OrderedIDs)
    /// Some or all, sorted: the id is the place.
    case sorted(OrderedIDs)
  }

  private let query: ObjectQuery
  private let source: ListedSource
  private let store: Store
  private var elements: PlacedElements
  private var order: Order
  /// The generation of the schema that the objects were read by.
  private let generation: UInt64
  private(set) var isKeptUp = false

  /// Runs the query in one version.
  ///
  /// - Throws: as `ObjectQuery.objectIDs`.
  /// - Complexity: O(objects of the source), plus the sort.
  init(
    _ query: ObjectQuery, _ source: ListedSource, in snapshot: Snapshot, of store: Store
  ) throws(Failure) {
    self.query = query
    self.source = source
    self.store = store
    let schema = store.schema
    generation = schema.generation
    var all = query
    all.condition = .always
    all.sortKeys = []
    elements = PlacedElements(try all.objectIDs(in: snapshot, schema: schema, store: store))
    order = .source
    if query.condition.isAlways && query.sortKeys.isEmpty { return }
    let version = try ListedVersion(query, elements, snapshot, store)
    var members: [PlacedElements.Element] = []
    for element in elements.elements where try version.holds(element.id) {
      members.append(element)
    }
    if query.sortKeys.isEmpty {
      order = .filtered(OrderedIDs(inOrder: members))
      return
    }
    var entries: [OrderedEntry] = []
    entries.reserveCapacity(members.count)
    for index in try query.sortedIndexes(of: members.map(\.id), snapshot, store) {
      entries.append(try version.entry(members[index]))
    }
    order = .sorted(OrderedIDs(inOrder: entries))
  }

  /// Goes on to the new version of a difference.
  ///
  /// - Parameters:
  ///   - difference: leads from the version of these results to another one.
  ///   - watched: what counts as a modification of an object.
  /// - Returns: what changed.
  /// - Throws: `.corrupted`; then the results are as before.
  /// - Complexity: O(changes · log n), and the objects that link to what changed; O(n) where the query is run again, and
  ///   for a map that changed.
  mutating func advance(
    _ difference: VersionDifference, watching watched: WatchedPaths
  ) throws(Failure) -> IndexChanges {
    guard let schema = store.schema(of: query.model, in: difference.schema, difference.new) else {
      return IndexChanges()
    }
    let watchedIDs = try AffectedObjects(difference).ids(of: schema, watched)
    if let changes = try follow(difference, schema, watchedIDs) {
      isKeptUp = true
      return changes
    }
    let new = try ListedResults(query, source, in: difference.new, of: store)
    defer { self = new }
    return IndexChanges(from: ids, to: new.ids, modified: watchedIDs)
  }

  /// Goes on by what changed.
  ///
  /// - Returns: nil where the query must be run again; then the results are as before.
  private mutating func follow(
    _ difference: VersionDifference, _ schema: ClassSchema, _ watched: [UInt64]
  ) throws(Failure) -> IndexChanges? {
    guard generation == store.schema.generation,
      let changes = try source.changes(of: elements, schema, difference),
      changes.count <= 64 + elements.count / 8
    else { return nil }
    var elements = elements
    guard
      let replaced = elements.replace(
        changes.deletions, with: changes.insertions, changes.objects)
    else { return nil }
    if case .source = order {
      var found = IndexChanges()
      found.deletions = changes.deletions
      found.insertions = changes.insertions
      found.addModifications(at: elements.indexes(of: watched))
      self.elements = elements
      return found
    }
    var step = ListedStep(replaced, elements)
    let old = try ListedVersion(query, self.elements, difference.old, store)
    let new = try ListedVersion(query, elements, difference.new, store)
    let dependencies = try QueryDependencies(query, in: difference.schema)
    let affected = AffectedObjects(difference)
    let edits = try step.edits(
      from: old, to: new, tested: try affected.ids(of: schema, along: dependencies.condition),
      sorted: try affected.ids(of: schema, along: dependencies.order), watched: watched)
    guard let found = try order.apply(edits, from: old, to: new) else { return nil }
    self.elements = step.elements
    return found
  }
}

extension ListedResults.Order {
  /// - Returns: nil where an object is not in its place; then the order is as before.
  fileprivate mutating func apply(
    _ edits: OrderEdits, from old: ListedVersion, to new: ListedVersion
  ) throws(Failure) -> IndexChanges? {
    switch self {
    case .source: return IndexChanges()
    case .filtered(var entries):
      let changes = try entries.apply(edits, old: old.compare, new: new.compare)
      self = .filtered(entries)
      return changes
    case .sorted(var entries):
      let changes = try entries.apply(edits, old: old.compare, new: new.compare)
      self = .sorted(entries)
      return changes
    }
  }
}

extension ListedResults: ObjectSequence {
  var count: Int {
    switch order {
    case .source: elements.count
    case .filtered(let entries), .sorted(let entries): entries.count
    }
  }

  subscript(index: Int) -> UInt64 {
    switch order {
    case .source: elements.elements[index].id
    case .filtered(let entries): entries[index].id
    case .sorted(let entries): elements.object(atPlace: entries[index].id)
    }
  }

  /// - Complexity: O(n), O(n log n) for sorted ones.
  var ids: [UInt64] {
    switch order {
    case .source: elements.objects
    case .filtered(let entries): entries.map(\.id)
    case .sorted(let entries): entries.map { elements.object(atPlace: $0.id) }
    }
  }
}
