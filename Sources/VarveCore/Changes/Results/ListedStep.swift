import VarveEncoding
import VarveStorage

/// The elements of a source in one version, as a query asks about them.
///
/// Thread safety: one thread at a time.
struct ListedVersion {
  private let elements: PlacedElements
  private let rows: ConditionRows
  /// nil for a query without sort keys.
  private let sort: SortOrder?

  /// - Throws: `.unknownProperty` or `.invalidInput` for a path that the class does not have.
  init(
    _ query: ObjectQuery, _ elements: PlacedElements, _ snapshot: Snapshot, _ store: Store
  ) throws(Failure) {
    self.elements = elements
    rows = try ConditionRows(query, snapshot, store)
    sort = query.sortKeys.isEmpty ? nil : try SortOrder(query, snapshot, store)
  }

  /// Whether an object of the source is in the answer.
  func holds(_ id: UInt64) throws(Failure) -> Bool { try rows.holds(id) }

  /// An element as the answer's order has it: by place, or, sorted, with its place as its id.
  func entry(_ element: PlacedElements.Element) throws(Failure) -> OrderedEntry {
    guard let sort else { return element }
    return OrderedEntry(prefix: try sort.prefix(of: element.id), id: element.prefix)
  }

  /// How the elements at two places stand to each other.
  func compare(_ first: UInt64, _ second: UInt64) throws(Failure) -> ValueOrdering {
    // Without sort keys the places differ, and settle it.
    guard let sort else { return .equal }
    return try sort.compare(
      elements.object(atPlace: first), elements.object(atPlace: second))
  }
}

/// What leads from the answer of a query on a source to that of another version.
///
/// Thread safety: a value.
struct ListedStep {
  private let replaced: PlacedElements.Replaced
  /// Those of the new version.
  private(set) var elements: PlacedElements
  /// The places of elements that are not in both versions, or in one answer only.
  private var passedOver: Set<UInt64>

  init(_ replaced: PlacedElements.Replaced, _ elements: PlacedElements) {
    self.replaced = replaced
    self.elements = elements
    passedOver = Set(replaced.inserted.map(\.prefix))
  }

  /// What happened to the elements of the answer.
  ///
  /// - Parameters:
  ///   - old: the source in the old version.
  ///   - new: the source in the new one.
  ///   - tested: ascending ids of the objects for which the condition may hold or not as before no more.
  ///   - sorted: of those that may stand at another place.
  ///   - watched: of those that count as modified.
  /// - Returns: the edits.
  /// - Throws: `.corrupted`.
  /// - Complexity: O(k log n) for k changes and objects.
  mutating func edits(
    from old: ListedVersion, to new: ListedVersion, tested: [UInt64], sorted: [UInt64],
    watched: [UInt64]
  ) throws(Failure) -> OrderEdits {
    var edits = OrderEdits()
    for element in replaced.removed where try old.holds(element.id) {
      edits.removed.append(try old.entry(element))
    }
    for element in replaced.inserted where try new.holds(element.id) {
      edits.inserted.append(try new.entry(element))
    }
    for element in elements.find(tested) where !passedOver.contains(element.prefix) {
      let wasMember = try old.holds(element.id)
      guard try new.holds(element.id) != wasMember else { continue }
      passedOver.insert(element.prefix)
      if wasMember {
        edits.removed.append(try old.entry(element))
      } else {
        edits.inserted.append(try new.entry(element))
      }
    }
    for element in elements.find(sorted) where !passedOver.contains(element.prefix) {
      guard try new.holds(element.id) else { continue }
      passedOver.insert(element.prefix)
      let (before, after) = (try old.entry(element), try new.entry(element))
      edits.rekeyed.append(
        .init(
          id: before.id, old: before.prefix, new: after.prefix,
          isWatched: watched.containsAscending(element.id)))
    }
    for element in elements.find(watched) where !passedOver.contains(element.prefix) {
      if try new.holds(element.id) { edits.modified.append(try old.entry(element)) }
    }
    return edits
  }
}
