import VarveEncoding
import VarveStorage

/// The results of a query in one version, which can be advanced to another version.
///
/// Advancing looks at what left and entered the source, at the objects that changed, and at those that the condition or
/// the order reads over links. Elements are maintained by id where the results are objects of a whole class in their
/// order, and by position elsewhere. The query is run again if it has a limit or leaves out equal objects, if more than
/// an eighth of the source changed, and if the file's schema did: properties that it learns of may read otherwise in
/// old rows.
///
/// Copies share what they have in common, so that observers may stand at different versions: advancing copies the
/// nodes on the ways to what changed, once each, whoever holds the version before. A million objects of a class cost
/// 128 KiB if their ids are dense and nothing sorts them, and some 17 MB sorted; for those of a list see
/// ``PositionedElements``.
///
/// Thread safety: a value.
struct MaintainedResults: Sendable {
  private enum Order: Sendable {
    /// Objects of a whole class, by id.
    case ids(IDSet)
    /// The elements of the source, as they stand there.
    case source
    /// Elements of the source that satisfy the condition: by place, or sorted with the place as the id.
    case entries(OrderedIDs)
    /// The objects of a query that is run again in each version in which they may differ.
    case rerun([UInt64])
  }

  private let query: ElementQuery
  /// nil for a whole class.
  private let source: ResultsSource?
  /// The elements of the source; nil for a whole class, and where the query is run again.
  private var elements: PositionedElements?
  private var order: Order
  /// The generation of the schema that the objects were read by.
  let generation: UInt64
  /// Whether the order was made from that of another version by what changed, and not by running the query.
  private(set) var isKeptUp = false

  /// Runs the query in one version.
  ///
  /// - Throws: as `ElementQuery.objectIDs`.
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
      for element in elements.elements where try version.holds(element.id) {
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
  ///   - difference: leads from the version of these results to another one.
  ///   - watched: what counts as a modification of an object.
  ///   - store: the store of both.
  /// - Returns: what changed.
  /// - Throws: `.corrupted`; then the results are as before.
  /// - Complexity: O(changes · log n), and the objects that link to what changed; as the query, where it is run again;
  ///   O(n) for a map that changed.
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

  /// Advances by what changed.
  ///
  /// - Returns: nil where the query must be run again; then the results are as before.
  private mutating func follow(
    _ difference: VersionDifference, _ schema: ClassSchema, _ modified: [UInt64], _ store: StoreFile
  ) throws(Failure) -> IndexChanges? {
    guard generation == store.schema.generation else { return nil }
    if case .rerun(let ids) = order {
      if try mayDiffer(difference, schema) { return nil }
      return IndexChanges(from: ids, to: ids, modified: modified)
    }
    guard var step = try ResultsStep(query, source, elements, schema, difference, store) else {
      return nil
    }
    let changes: IndexChanges
    switch order {
    case .rerun, .source:
      changes = step.positions(watched: modified)
    case .ids(var ids):
      let edits = try step.edits(watched: [])
      changes = ids.apply(
        removed: edits.removed.map(\.id), inserted: edits.inserted.map(\.id), modified: modified)
      order = .ids(ids)
    case .entries(var entries):
      let edits = try step.edits(watched: modified)
      guard let found = try entries.apply(edits, old: step.old.compare, new: step.new.compare)
      else { return nil }
      changes = found
      order = .entries(entries)
    }
    elements = step.elements
    return changes
  }

  /// Whether objects came or went, or what the query reads of them changed.
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

  /// The id of the object at a place.
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
  /// - Complexity: O(n), O(n log n) for sorted ones of a list, a map, a set or links.
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
    return elements.object(atPlace: entry.id)
  }
}
