import VarveEncoding
import VarveStorage

/// The results of a query in one version, which can be advanced to another version.
///
/// Advancing reads the elements that left or entered the source, the objects that changed, and the
/// objects that the condition or the order reads through links. Results that are the objects of a
/// whole class in id order are maintained by id; other results are maintained by position. The
/// query is run again if it has a limit or omits equal objects, if more than an eighth of the
/// source changed, or if the file's schema changed: properties added to the schema may read
/// differently in old rows.
///
/// Copies share nodes, so observers may be at different versions. Advancing copies the nodes on the
/// paths to the changes, once each, whichever copies share the previous version. A million objects
/// of a class take 128 KiB if their ids are dense and they are not sorted, and about 17 MB if
/// sorted. For the elements of a list see ``PositionedElements``.
struct MaintainedResults: Sendable {
  private enum Order: Sendable {
    /// The objects of a whole class, by id.
    case ids(IDSet)
    /// The elements of the source, in its order.
    case source
    /// The elements of the source that satisfy the condition: by position, or sorted, with the
    /// position as the id.
    case entries(OrderedIDs)
    /// The objects of a query that is run again in each version in which they may differ.
    case rerun([UInt64])
  }

  private let query: ElementQuery
  /// The source of the elements; nil for a whole class.
  private let source: ResultsSource?
  /// The elements of the source; nil for a whole class, or if the query is run again.
  private var elements: PositionedElements?
  private var order: Order
  /// The generation of the schema with which the objects were read.
  let generation: UInt64
  /// Whether the order was derived from the order of another version and the changes, rather than
  /// by running the query.
  private(set) var isKeptUp = false

  /// Runs the query in one version.
  ///
  /// - Throws: See `ElementQuery.objectIDs`.
  /// - Complexity: O(objects of the source), plus the sort.
  init(
    _ query: ElementQuery, _ source: ResultsSource?, in snapshot: Snapshot, of store: StoreFile
  ) throws(Failure) {
    self.query = query
    self.source = source
    let schema = store.schema
    generation = schema.generation
    let scope = ReadScope(snapshot, of: store, schema)
    let isSorted = !query.sortKeys.isEmpty
    var members: [PositionedElements.Element] = []
    var all = query
    all.sortKeys = []
    if query.isRerun {
      order = .rerun(try query.objectIDs(in: scope))
      return
    } else if source == nil {
      let found = try all.objectIDs(in: scope)
      order = isSorted ? .source : .ids(IDSet(found))
      if isSorted { members = found.map { PositionedElements.Element(prefix: $0, id: $0) } }
    } else {
      all.condition = .always
      elements = PositionedElements(try all.objectIDs(in: scope))
      order = .source
    }
    if !isSorted && (source == nil || query.condition.isAlways) { return }
    let version = try ResultsVersion(query, elements, scope)
    if let elements {
      for element in elements.elements where try version.matches(element.id) {
        members.append(element)
      }
    }
    if isSorted {
      let indexes = try version.sortedIndexes(of: members.map(\.id))
      var entries: [OrderedEntry] = []
      entries.reserveCapacity(indexes.count)
      for index in indexes { entries.append(try version.entry(members[index])) }
      members = entries
    }
    order = .entries(OrderedIDs(inOrder: members))
  }

  /// Advances to the new version of a difference.
  ///
  /// - Parameters:
  ///   - difference: The difference between the version of these results and another one.
  ///   - watched: The paths whose changes count as a modification of an object.
  ///   - store: The store of both versions.
  /// - Returns: The changes.
  /// - Throws: `.corrupted`; the results are then unchanged.
  /// - Complexity: O(changes · log n), plus the objects that link to changed objects; the cost of
  ///   the query if it is run again; O(n) for a map that changed.
  mutating func advance(
    _ difference: VersionDifference, watching watched: WatchedPaths, of store: StoreFile
  ) throws(Failure) -> IndexChanges {
    let scope = ReadScope(difference.new, of: store, difference.schema)
    guard let schema = scope.schema(of: query.model) else { return IndexChanges() }
    let modified = try AffectedObjects(difference).ids(of: schema, watched)
    if let changes = try follow(difference, schema, modified, store) {
      isKeptUp = true
      return changes
    }
    let old = ids
    self = try MaintainedResults(query, source, in: difference.new, of: store)
    let new = ids
    var changes = IndexChanges(from: old, to: new, modified: modified)
    if query.nested.contains(where: { !$0.sortKeys.isEmpty }) {
      changes.findMoves(from: old, to: new)
    }
    return changes
  }

  /// Advances by applying the changes.
  ///
  /// - Returns: nil if the query must be run again; the results are then unchanged.
  private mutating func follow(
    _ difference: VersionDifference, _ schema: ClassSchema, _ modified: [UInt64], _ store: StoreFile
  ) throws(Failure) -> IndexChanges? {
    guard generation == store.schema.generation else { return nil }
    if case .rerun(let ids) = order {
      if try mayDiffer(difference, schema) { return nil }
      return IndexChanges(from: ids, to: ids, modified: modified)
    }
    guard var update = try ResultsUpdate(query, source, elements, schema, difference, store) else {
      return nil
    }
    let changes: IndexChanges
    switch order {
    case .rerun, .source:
      changes = update.positions(watched: modified)
    case .ids(var ids):
      let edits = try update.edits(watched: [])
      changes = ids.apply(
        removed: edits.removed.map(\.id), inserted: edits.inserted.map(\.id), modified: modified)
      order = .ids(ids)
    case .entries(var entries):
      let edits = try update.edits(watched: modified)
      guard let found = try entries.apply(edits, old: update.old.compare, new: update.new.compare)
      else { return nil }
      changes = found
      order = .entries(entries)
    }
    elements = update.elements
    return changes
  }

  /// Whether objects were inserted or deleted, or values that the query reads changed.
  private func mayDiffer(
    _ difference: VersionDifference, _ schema: ClassSchema
  ) throws(Failure) -> Bool {
    guard source == nil else { return true }
    let own = try difference.objects(ofClass: schema.id)
    if !own.deleted.isEmpty || !own.inserted.isEmpty { return true }
    let affected = AffectedObjects(difference)
    let dependencies = try QueryDependencies(query, in: difference.schema)
    if try !affected.ids(of: schema, along: dependencies.condition).isEmpty { return true }
    return try !affected.ids(of: schema, along: dependencies.order).isEmpty
  }
}

/// The objects, in order.
extension MaintainedResults {
  var count: Int {
    switch order {
    case .ids(let ids): ids.count
    case .source: elements?.count ?? 0
    case .entries(let entries): entries.count
    case .rerun(let ids): ids.count
    }
  }

  /// The id of the object at an index.
  ///
  /// - Precondition: the index is in `0..<count`.
  /// - Complexity: O(log n).
  subscript(index: Int) -> UInt64 {
    switch order {
    case .ids(let ids): ids[index]
    case .source: elements?.elements[index].id ?? 0
    case .entries(let entries): object(entries[index])
    case .rerun(let ids): ids[index]
    }
  }

  /// The ids of all objects, in order.
  ///
  /// - Complexity: O(n), or O(n log n) for sorted results of a list, a map, a set or links.
  var ids: [UInt64] {
    switch order {
    case .ids(let ids): Array(ids)
    case .source: elements?.objects ?? []
    case .entries(let entries): entries.map(object)
    case .rerun(let ids): ids
    }
  }

  private func object(_ entry: OrderedEntry) -> UInt64 {
    guard let elements, !query.sortKeys.isEmpty else { return entry.id }
    return elements.object(atPosition: entry.id)
  }
}
