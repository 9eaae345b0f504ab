import VarveEncoding
import VarveStorage

/// A query for objects of one class or for values of a collection, with their order.
package struct ElementQuery: Sendable {
  package enum Element: Sendable {
    case object(ClassDescription)
    case value
  }

  /// The source of the elements.
  package enum Source: Sendable {
    /// Every object of the class, in id order. No values.
    case all
    /// The elements of a list or set, or the values of a dictionary, in the order of the
    /// collection. Null links are skipped.
    case collection(CollectionIdentity)
    /// The objects that link to one object through one of their properties.
    case linking(LinkingSource)
    /// The elements of another query, in its order. Used to add conditions to a query with a limit,
    /// which must be applied first.
    indirect case query(ElementQuery)
  }

  package struct SortKey: Sendable, Hashable {
    package var path: [String]
    package var isAscending: Bool
    /// The comparison of strings.
    package var collation: TextCollation

    package init(path: [String], isAscending: Bool, collation: TextCollation = .bytes) {
      self.path = path
      self.isAscending = isAscending
      self.collation = collation
    }

    /// Checks that objects of a class can be sorted by the key.
    ///
    /// - Throws: `.unknownProperty` for a name that its class lacks, or `.invalidInput` for a path
    ///   through, or to, a property that is not ordered: a collection, linking objects, a link.
    package func check(on model: ClassDescription) throws(Failure) {
      let property = try model.property(along: path)
      let fault: String? =
        if !property.isStored {
          "Objects cannot be sorted by linking objects."
        } else if property.kind.collection != .none {
          "Objects cannot be sorted by a collection."
        } else if property.isLink {
          "Objects cannot be sorted by a link; sort by a property of the linked object."
        } else if collation != .bytes, property.kind.type != .string {
          "Only strings can be sorted with a collation."
        } else {
          nil
        }
      guard let fault else { return }
      throw Failure(
        .invalidInput, fault, className: model.name, propertyName: path.joined(separator: "."))
    }
  }

  /// Keeps the first object of each combination of property values.
  package struct Distinct: Sendable, Hashable {
    package var paths: [[String]]
    /// The order that determines the first object. If empty, the order of the source.
    package var sortKeys: [SortKey]

    package init(paths: [[String]], sortKeys: [SortKey]) {
      self.paths = paths
      self.sortKeys = sortKeys
    }
  }

  /// An offset and a limit.
  package struct LimitClause: Sendable, Hashable {
    /// The number of objects to skip.
    package var offset: Int
    /// The maximum number of objects, or nil for all.
    package var limit: Int?

    package init(offset: Int, limit: Int?) {
      self.offset = max(0, offset)
      self.limit = limit.map { max(0, $0) }
    }

    /// The clause that results from applying another clause to the elements of this one.
    package func narrowed(by other: LimitClause) -> LimitClause {
      let (start, overflow) = offset.addingReportingOverflow(other.offset)
      let rest = limit.map { max(0, $0 - other.offset) }
      return LimitClause(
        offset: overflow ? .max : start,
        limit: rest.map { min($0, other.limit ?? .max) } ?? other.limit)
    }

    /// The number of objects to find in order to return the first `limit` objects after the offset.
    func needed(for limit: Int) -> Int {
      let count = min(limit, self.limit ?? .max)
      let (sum, overflow) = offset.addingReportingOverflow(count)
      return overflow ? .max : sum
    }

    /// The elements after the offset, up to the limit, of all elements or of the first
    /// ``needed(for:)``.
    func slice<T>(_ elements: [T]) -> [T] {
      Array(elements.dropFirst(offset).prefix(limit ?? .max))
    }
  }

  package let element: Element
  package var source: Source
  /// The condition on the elements. For values, the comparisons have empty paths.
  package var condition: Condition
  /// Applied in order, before the elements are sorted.
  package var distinct: [Distinct]
  /// For values, at most one key, whose path is ignored.
  package var sortKeys: [SortKey]
  /// Applied last. Nil for all elements.
  package var limitClause: LimitClause?

  package init(
    _ element: Element, source: Source = .all, condition: Condition = .always,
    distinct: [Distinct] = [], sortKeys: [SortKey] = []
  ) {
    self.element = element
    self.source = source
    self.condition = condition
    self.distinct = distinct
    self.sortKeys = sortKeys
  }

  /// The class of the objects.
  ///
  /// - Precondition: The elements are objects.
  package var model: ClassDescription {
    guard case .object(let model) = element else { preconditionFailure("Values have no class.") }
    return model
  }

  /// Whether the elements are values.
  package var isOfValues: Bool {
    if case .value = element { true } else { false }
  }

  /// The collection that the elements come from.
  package var collection: CollectionIdentity? {
    switch source {
    case .all, .linking: nil
    case .collection(let collection): collection
    case .query(let inner): inner.collection
    }
  }

  /// The class of the object that the source belongs to. For a whole class, that class.
  package var ownerName: String {
    switch source {
    case .all: model.name
    case .collection(let collection): collection.model.name
    case .linking(let source): source.model.name
    case .query(let inner): inner.ownerName
    }
  }

  /// The query and the queries that are its sources, the innermost last.
  var nested: [ElementQuery] {
    var queries = [self]
    while case .query(let inner)? = queries.last?.source { queries.append(inner) }
    return queries
  }

  /// The query of the elements for which a condition is true, too.
  package func narrowed(by added: Condition) -> ElementQuery {
    guard limitClause == nil else { return enclosed.narrowed(by: added) }
    return ElementQuery(
      element, source: source, condition: condition.isAlways ? added : .and(condition, added),
      distinct: distinct, sortKeys: sortKeys)
  }

  /// A query of the same elements to which conditions and sort keys can be added.
  package var narrowable: ElementQuery {
    limitClause == nil ? self : enclosed
  }

  /// A query whose source is this query.
  package var enclosed: ElementQuery { ElementQuery(element, source: .query(self)) }

  /// Whether the query must be run again for a new version, because its results cannot be updated
  /// incrementally.
  var isRerun: Bool {
    if case .query = source { return true }
    return !distinct.isEmpty || limitClause != nil
  }

  /// Whether the result is the whole table of the class.
  package var isWholeTable: Bool {
    guard case .all = source, !isOfValues else { return false }
    return condition.isAlways && sortKeys.isEmpty && distinct.isEmpty && limitClause == nil
  }
}

/// The target of linking objects, and the property through which they link to it.
package struct LinkingSource: Sendable {
  /// The class of the object.
  package let model: ClassDescription
  package let id: UInt64
  package let originPropertyName: String
  /// The outcome of the write that created the object. After a rollback, another object may get the
  /// same id.
  private let outcome: TransactionOutcome?

  init(
    _ model: ClassDescription, id: UInt64, originPropertyName: String,
    _ outcome: TransactionOutcome?
  ) {
    self.model = model
    self.id = id
    self.originPropertyName = originPropertyName
    self.outcome = outcome
  }

  /// Whether the write that created the object was rolled back.
  var isRolledBack: Bool { outcome?.isRolledBack == true }
}
