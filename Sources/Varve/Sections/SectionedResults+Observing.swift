public import Dispatch
import VarveCore

typealias SectionObservation<Key: _Persistable & Hashable, Collection: Sendable> =
  Observation<DerivedTracker<Sectioning<Key>, SectionChanges>, Collection>

extension SectionedResults {
  /// Has a block called with the sections, and then with each change of them; see
  /// ``RealmCollection/observe(keyPaths:on:_:)-([String]?,DispatchQueue?,_)`` and ``SectionChanges``.
  ///
  /// The key of an element is asked for again when the element counts as modified. With key paths a key that is a
  /// persisted property counts in any case; what a closure reads has to be among them.
  ///
  /// - Parameters:
  ///   - keyPaths: for objects, the properties that count, by names; nil for all, up to four links away.
  ///   - queue: where the block is called; nil: a serial queue of the store. Calls come one at a time.
  ///   - block: what to call.
  /// - Returns: a token that must be kept: when it is dropped the observer ends.
  /// - Throws: `Realm.Error`, as the observing of the collection.
  /// - Complexity: each call takes O(elements), with one question for the key of each element that changed.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping @Sendable (SectionedResultsChange<SectionedResults>) -> Void
  ) throws -> NotificationToken {
    try observation(keyPaths).observe(at: .queue(queue)) { block(SectionedResultsChange($0, $1)) }
  }

  /// Has a block called on an actor; see ``observe(keyPaths:on:_:)-([String]?,DispatchQueue?,_)``.
  ///
  /// - Parameters:
  ///   - keyPaths: the properties that count.
  ///   - actor: where the block is called. It is held weakly.
  ///   - block: what to call.
  /// - Returns: a token that must be kept.
  /// - Throws: `Realm.Error`.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A,
    _ block: @escaping @Sendable (isolated A, SectionedResultsChange<SectionedResults>) -> Void
  ) async throws -> NotificationToken {
    try observation(keyPaths).observe(at: .actor(actor)) { [weak actor] delivery, sections in
      actor?.assumeIsolated { block($0, SectionedResultsChange(delivery, sections)) }
    }
  }

  /// The sections, and then each change; see ``ChangeSequence``. Empty for frozen ones, and when what the elements
  /// belong to is deleted.
  public var changes: ChangeSequence<Change<SectionedResults, SectionChanges>> {
    (try? observation(nil))?.sequence { $0 } ?? .empty
  }

  /// The sections, and then each change of some properties.
  ///
  /// - Parameter keyPaths: the properties that count, by names.
  /// - Returns: the changes.
  /// - Throws: `Realm.Error`, as ``observe(keyPaths:on:_:)-([String]?,DispatchQueue?,_)``.
  public func changes(
    keyPaths: [String]
  ) throws -> ChangeSequence<Change<SectionedResults, SectionChanges>> {
    try observation(keyPaths).sequence { $0 }
  }

  private func observation(
    _ keyPaths: [String]?
  ) throws -> SectionObservation<Key, SectionedResults> {
    try observation(keyPaths, of: nil) { $0 }
  }

  /// How the sections, or one of them, are observed.
  fileprivate func observation<Collection: Sendable>(
    _ keyPaths: [String]?, of key: Key?,
    _ collection: @escaping @Sendable (SectionedResults) -> Collection
  ) throws -> SectionObservation<Key, Collection> {
    let observation = try results._$observation(rule.watched(keyPaths)).live()
    let (rule, view, frozen) = (rule, observation.view, observation.frozen)
    let tracker = DerivedTracker<Sectioning<Key>, SectionChanges>(
      observation.tracker,
      nothing: SectionChanges(
        deletions: [], insertions: [], modifications: [], sectionsToInsert: [],
        sectionsToDelete: [])
    ) { tracker, snapshot in
      rule.sections(of: frozen(tracker, ReadContext(view: view).frozen(at: snapshot)))
    } advance: { sections, tracker, snapshot, changes in
      let elements = frozen(tracker, ReadContext(view: view).frozen(at: snapshot))
      let places = CollectionChanges(changes)
      let old = sections
      sections = old.advanced(by: places, order: rule.order) { rule.key(elements[$0]) }
      let change = sections.changes(since: old, places, only: key)
      return change.isEmpty ? nil : change
    }
    return SectionObservation(view: view, tracker: tracker) { tracker, context in
      let elements = frozen(tracker.collection, context)
      return collection(
        SectionedResults(
          frozen: elements, rule, tracker.derived ?? Sectioning([], order: rule.order)))
    }
  }
}

extension ResultsSection {
  /// Has a block called with the section, and then with each change of it; see
  /// ``SectionedResults/observe(keyPaths:on:_:)-([String]?,DispatchQueue?,_)``. The index paths have the place of the section too.
  ///
  /// - Parameters:
  ///   - keyPaths: the properties that count, by names; nil for all, up to four links away.
  ///   - queue: where the block is called; nil: a serial queue of the store. Calls come one at a time.
  ///   - block: what to call.
  /// - Returns: a token that must be kept: when it is dropped the observer ends.
  /// - Throws: `Realm.Error`, as the observing of the collection.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping @Sendable (SectionedResultsChange<ResultsSection>) -> Void
  ) throws -> NotificationToken {
    try observation(keyPaths).observe(at: .queue(queue)) { block(SectionedResultsChange($0, $1)) }
  }

  /// Has a block called on an actor; see ``observe(keyPaths:on:_:)-([String]?,DispatchQueue?,_)``.
  ///
  /// - Parameters:
  ///   - keyPaths: the properties that count.
  ///   - actor: where the block is called. It is held weakly.
  ///   - block: what to call.
  /// - Returns: a token that must be kept.
  /// - Throws: `Realm.Error`.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A,
    _ block: @escaping @Sendable (isolated A, SectionedResultsChange<ResultsSection>) -> Void
  ) async throws -> NotificationToken {
    try observation(keyPaths).observe(at: .actor(actor)) { [weak actor] delivery, section in
      actor?.assumeIsolated { block($0, SectionedResultsChange(delivery, section)) }
    }
  }

  /// The section, and then each change; see ``ChangeSequence``.
  public var changes: ChangeSequence<Change<ResultsSection, SectionChanges>> {
    (try? observation(nil))?.sequence { $0 } ?? .empty
  }

  private func observation(
    _ keyPaths: [String]?
  ) throws -> SectionObservation<Key, ResultsSection> {
    let key = key
    return try all.observation(keyPaths, of: key) { ResultsSection($0, key) }
  }
}

extension SectionedResultsChange {
  fileprivate init<Key: Hashable & Sendable>(
    _ delivery: Delivery<DerivedTracker<Sectioning<Key>, SectionChanges>>, _ collection: Collection
  ) {
    switch delivery.content {
    case .initial: self = .initial(collection)
    case .change(let changes), .end(let changes):
      self = .update(
        collection, deletions: changes.deletions, insertions: changes.insertions,
        modifications: changes.modifications, sectionsToInsert: changes.sectionsToInsert,
        sectionsToDelete: changes.sectionsToDelete)
    }
  }
}
