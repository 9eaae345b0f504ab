import VarveEncoding
import VarveStorage

/// Which objects of one class, or which values of a collection, are wanted, and in which order.
///
/// Thread safety: an immutable value.
package struct ElementQuery: Sendable {
  package enum Element: Sendable {
    case object(ClassDescription)
    case value
  }

  /// Where the elements come from.
  package enum Source: Sendable {
    /// Every object of the class, in the order of the object ids; no values.
    case all
    /// The elements of a list or a set, or the values of a dictionary, in its order. Nulls in place of objects are left out.
    case collection(CollectionIdentity)
    /// The objects that link to one object through one of their properties.
    case linking(LinkingSource)
    /// The elements of another query, in its order: of one with a window, which ends what can be asked of it.
    indirect case query(ElementQuery)
  }

  package struct SortKey: Sendable, Hashable {
    package var path: [String]
    package var isAscending: Bool
    /// How strings are compared.
    package var collation: TextCollation

    package init(path: [String], isAscending: Bool, collation: TextCollation = .bytes) {
      self.path = path
      self.isAscending = isAscending
      self.collation = collation
    }

    /// Checks that objects of a class can be sorted by the key.
    ///
    /// - Throws: `.unknownProperty` for a name that its class does not have, `.invalidInput` for a path
    ///   through or to something that has no order: a collection, linking objects, a link.
    package func check(on model: ClassDescription) throws(Failure) {
      let property = try model.property(along: path)
      let fault: String? =
        if !property.isStored {
          "Objects cannot be sorted by linking objects."
        } else if property.kind.collection != .none {
          "Objects cannot be sorted by a collection."
        } else if property.isLink {
          "Objects cannot be sorted by a link, but by a property of the linked object."
        } else if collation != .bytes, property.kind.type != .string {
          "Only strings have another order than their own."
        } else {
          nil
        }
      guard let fault else { return }
      throw Failure(
        .invalidInput, fault, className: model.name, propertyName: path.joined(separator: "."))
    }
  }

  /// Keeps the first object of each combination of some properties' values.
  package struct Distinct: Sendable, Hashable {
    package var paths: [[String]]
    /// The order that says which one is the first; none: that of the source.
    package var sortKeys: [SortKey]

    package init(paths: [[String]], sortKeys: [SortKey]) {
      self.paths = paths
      self.sortKeys = sortKeys
    }
  }

  /// Which of the objects are left, by their places.
  package struct LimitClause: Sendable, Hashable {
    /// How many are left out at the beginning.
    package var offset: Int
    /// How many there are at most; nil for all.
    package var limit: Int?

    package init(offset: Int, limit: Int?) {
      self.offset = max(0, offset)
      self.limit = limit.map { max(0, $0) }
    }

    /// A window of this one.
    package func narrowed(by other: LimitClause) -> LimitClause {
      let (start, overflow) = offset.addingReportingOverflow(other.offset)
      let rest = limit.map { max(0, $0 - other.offset) }
      return LimitClause(
        offset: overflow ? .max : start,
        limit: rest.map { min($0, other.limit ?? .max) } ?? other.limit)
    }

    /// How many objects have to be found for the first of the window.
    func needed(for limit: Int) -> Int {
      let count = min(limit, self.limit ?? .max)
      let (sum, overflow) = offset.addingReportingOverflow(count)
      return overflow ? .max : sum
    }

    /// The part of all elements, or of the first ``needed(for:)``.
    func slice<T>(_ elements: [T]) -> [T] {
      Array(elements.dropFirst(offset).prefix(limit ?? .max))
    }
  }

  package let element: Element
  package var source: Source
  /// What holds for the elements. On values its comparisons have empty paths.
  package var condition: Condition
  /// Applied one after the other, before the elements are sorted.
  package var distinct: [Distinct] = []
  /// Of values, one at most, whose path does not matter.
  package var sortKeys: [SortKey]
  /// Applied last; nil for all elements.
  package var limitClause: LimitClause?

  package init(
    _ element: Element, source: Source = .all, condition: Condition = .always,
    sortKeys: [SortKey] = []
  ) {
    self.element = element
    self.source = source
    self.condition = condition
    self.sortKeys = sortKeys
  }

  /// The class of the objects.
  ///
  /// - Precondition: the elements are objects.
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

  /// The class of the object that the objects come from; for a whole class, that.
  package var ownerName: String {
    switch source {
    case .all: model.name
    case .collection(let collection): collection.model.name
    case .linking(let source): source.model.name
    case .query(let inner): inner.ownerName
    }
  }

  /// The query and those that it narrows, the innermost last.
  var nested: [ElementQuery] {
    var queries = [self]
    while case .query(let inner)? = queries.last?.source { queries.append(inner) }
    return queries
  }

  /// Adds a condition that has to hold as well.
  package mutating func narrow(by added: Condition) {
    condition = condition.isAlways ? added : .and(condition, added)
  }

  /// A query of the same elements that conditions and orders may be added to.
  package var narrowable: ElementQuery {
    limitClause == nil ? self : enclosed
  }

  /// A query of the elements that this one finds, and of no others.
  package var enclosed: ElementQuery { ElementQuery(element, source: .query(self)) }

  /// Whether a new version's answer cannot be made from that of the old one.
  var isRerun: Bool {
    if case .query = source { return true }
    return !distinct.isEmpty || limitClause != nil
  }

  /// Whether the answer is the class's table itself.
  package var isWholeTable: Bool {
    guard case .all = source, !isOfValues else { return false }
    return condition.isAlways && sortKeys.isEmpty && distinct.isEmpty && limitClause == nil
  }
}

/// The object that linking objects point to, and the property through which they do.
///
/// Thread safety: immutable.
package struct LinkingSource: Sendable {
  /// The class of the object.
  package let model: ClassDescription
  package let id: UInt64
  package let originPropertyName: String
  /// Tells when the object was made in a write that was rolled back: another one may get its id.
  private let token: TransactionOutcome?

  init(
    _ model: ClassDescription, id: UInt64, originPropertyName: String, _ token: TransactionOutcome?
  ) {
    self.model = model
    self.id = id
    self.originPropertyName = originPropertyName
    self.token = token
  }

  /// Whether the object was made in a write that was rolled back.
  var isRolledBack: Bool { token?.isRolledBack == true }
}
