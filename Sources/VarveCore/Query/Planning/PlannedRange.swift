import VarveEncoding
import VarveStorage

/// A set of objects that satisfy one conjunct of a condition, found without visiting all objects.
///
/// A range contains only objects that satisfy its conjunct, except for a disjunction: if an
/// alternative has more terms than its range covers, the disjunction is also applied as a filter.
indirect enum PlannedRange: Sendable {
  /// A range of a property index.
  case index(IndexRange, name: String, text: RangeText)
  /// Several ranges of one index.
  case union(IndexUnion, name: String, text: RangeText)
  /// The objects whose text contains the words of a query.
  case words(FullTextIndex, FullTextQuery, name: String, text: RangeText)
  /// A range of integer primary keys.
  case keys(IntegerKeyRange, name: String, text: RangeText)
  /// A list of integer primary keys.
  case objects([UInt64], Table, name: String, text: RangeText)
  /// The objects that link to matching objects of another class.
  case linking(LinkingRange)
  /// The union of ranges.
  case any([PlannedRange])

  /// The estimated number of objects.
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

  /// The exact number of objects, or nil if counting requires finding them.
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

  /// The intersection of two ranges of one index or of primary keys, or nil for other ranges.
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

  /// The union of ranges of one index, or nil for other ranges.
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

  /// The ids of the objects, ascending and without duplicates.
  ///
  /// - Throws: `.corrupted`, or an error of the condition on the other class.
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

/// The objects that link, through one property, to matching objects of another class.
struct LinkingRange: Sendable {
  let farSchema: ClassSchema
  /// The plan that finds the objects of the other class.
  let farPlan: QueryPlan
  /// The class of the property that links to them.
  let schema: ClassSchema
  let property: StoredProperty
  /// The declared name of the property.
  let name: String
  /// The average number of objects of the class for each object of the other class.
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

/// The description of a range's predicate, rendered only when a plan is shown.
enum RangeText: Sendable {
  case predicate(PropertyPredicate)
  case words(String)
  /// The conjunction of two predicates.
  indirect case both(RangeText, RangeText)

  /// The rendered text. The recursion is shallow: ``both(_:_:)`` nests less deeply than the number
  /// of conjuncts that a plan considers.
  var text: String {
    switch self {
    case .predicate(let predicate): predicate.text
    case .words(let words): words
    case .both(let first, let second): "\(first.text) AND \(second.text)"
    }
  }
}
