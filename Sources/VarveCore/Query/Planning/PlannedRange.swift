import VarveEncoding
import VarveStorage

/// A way to the objects that satisfy one part of a condition, which does not visit all objects.
///
/// It leads to no others, but for that of a part that OR joins: such a part is a filter too, where an alternative has more
/// to it than its range.
///
/// Thread safety: an immutable value.
indirect enum PlannedRange: Sendable {
  /// A range of the index of a property.
  case index(IndexRange, name: String, text: RangeText)
  /// Several ranges of one index.
  case union(IndexUnion, name: String, text: RangeText)
  /// The objects whose text has some words.
  case words(FullTextIndex, FullTextQuery, name: String, text: RangeText)
  /// A range of integer primary keys.
  case keys(IntegerKeyRange, name: String, text: RangeText)
  /// Some integer primary keys.
  case objects([UInt64], Table, name: String, text: RangeText)
  /// The objects that link to what was found in another class.
  case linking(LinkingRange)
  /// The objects of any of some ranges.
  case any([PlannedRange])

  /// About how many objects there are.
  ///
  /// - Complexity: O(depth) pages for each range.
  func estimate(_ reader: any TableReader) -> Int {
    switch self {
    case .index(let range, _, _): range.estimate(reader)
    case .union(let union, _, _): union.estimate(reader)
    case .words(let index, let query, _, _): index.estimate(query, in: reader)
    case .keys(let range, _, _): range.estimate(reader)
    case .objects(let ids, _, _, _): ids.count
    case .linking(let range): range.estimate(reader)
    case .any(let ranges): ranges.reduce(0) { $0 + $1.estimate(reader) }
    }
  }

  /// How many objects there are; nil where they have to be found for that.
  ///
  /// - Throws: `.corrupted`.
  func count(_ reader: any TableReader) throws(Failure) -> Int? {
    switch self {
    case .index(let range, _, _): try range.count(reader)
    case .union(let union, _, _): try union.count(reader)
    case .keys(let range, _, _): range.count(reader)
    case .any(let ranges): try Self.union(of: ranges)?.count(reader)
    case .objects, .linking, .words: nil
    }
  }

  /// What two ranges of one index, or of primary keys, have in common; nil for others.
  func intersection(_ other: PlannedRange) -> PlannedRange? {
    switch (self, other) {
    case (.index(let a, let name, let text), .index(let b, _, let more))
    where a.index.id == b.index.id:
      return .index(a.intersection(b), name: name, text: .both(text, more))
    case (.keys(let a, let name, let text), .keys(let b, _, let more)):
      return .keys(a.intersection(b), name: name, text: .both(text, more))
    default: return nil
    }
  }

  /// Ranges of one index as one; nil for others.
  private static func union(of ranges: [PlannedRange]) -> IndexUnion? {
    var index: PropertyIndex?
    var parts: [IndexRange] = []
    parts.reserveCapacity(ranges.count)
    for range in ranges {
      guard case .index(let part, _, _) = range, part.index.id == (index ?? part.index).id else {
        return nil
      }
      index = part.index
      parts.append(part)
    }
    return index.map { IndexUnion(parts, of: $0) }
  }

  /// The ids of the objects, ascending, each once.
  ///
  /// - Throws: `.corrupted`, or what the condition on another class throws.
  func ids(_ scope: ReadScope) throws(Failure) -> [UInt64] {
    let reader = scope.reader
    switch self {
    case .index(let range, _, _): return try range.ids(reader)
    case .union(let union, _, _): return try union.ids(reader)
    case .words(let index, let query, _, _):
      return try index.matches(query, in: reader).map(\.id)
    case .keys(let range, _, _): return range.ids(reader)
    case .objects(let ids, let table, _, _):
      return ids.filter { reader.find(table, id: $0) != nil }
    case .linking(let range): return try range.ids(scope)
    case .any(let ranges):
      var ids: [UInt64] = []
      for range in ranges { ids += try range.ids(scope) }
      IDSorting.sortUnique(&ids)
      return ids
    }
  }
}

/// The objects that link, through one property, to objects of another class that satisfy a condition.
///
/// Thread safety: an immutable value.
struct LinkingRange: Sendable {
  let farSchema: ClassSchema
  /// Finds the objects of the other class.
  let farPlan: QueryPlan
  /// The property that links to them.
  let schema: ClassSchema
  let property: StoredProperty
  /// How many objects of the class there are for one of the other class.
  let fanOut: Double

  func estimate(_ reader: any TableReader) -> Int {
    Int(Double(farPlan.estimatedCount) * fanOut) + 1
  }

  func ids(_ scope: ReadScope) throws(Failure) -> [UInt64] {
    var ids: [UInt64] = []
    var links = IncomingLinkReader(scope.reader)
    for target in try farPlan.ids(scope) {
      try links.forEach(
        to: RowKey(classID: farSchema.id, objectID: target), from: schema.id,
        property: property.id
      ) { ids.append($0.key.originID) }
    }
    IDSorting.sortUnique(&ids)
    return ids
  }
}

/// What a range has to do with its property, in words: put together where a plan is shown.
///
/// Thread safety: an immutable value.
enum RangeText: Sendable {
  case predicate(PropertyPredicate)
  case words(String)
  /// Both hold.
  indirect case both(RangeText, RangeText)

  /// The words. Of ``both(_:_:)`` there are fewer, one inside the other, than a plan looks at parts.
  var text: String {
    switch self {
    case .predicate(let predicate): predicate.text
    case .words(let words): words
    case .both(let first, let second): "\(first.text) AND \(second.text)"
    }
  }
}
