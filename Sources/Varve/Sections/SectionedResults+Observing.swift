public import Dispatch
import VarveCore

typealias SectionObservation<Key: _Persistable & Hashable, Collection: Sendable> =
  Observation<DerivedTracker<Sectioning<Key>, SectionChanges>, Collection>

extension SectionedResults {
  /// Calls a block with the initial sections, and then with each change of them. See
  /// ``RealmCollection/observe(keyPaths:on:_:)-([String]?,DispatchQueue?,_)`` and
  /// ``SectionChanges``.
  ///
  /// The key of an element is evaluated again when the element is modified. If you pass key paths,
  /// a key that is a persisted property is always watched; properties that a key closure reads must
  /// be among the key paths.
  ///
  /// - Parameters:
  ///   - keyPaths: The names of the watched properties, for a collection of objects. Nil watches
  ///     all properties, up to four links away.
  ///   - queue: The queue on which the block is called. Nil means a serial queue of the store.
  ///     Calls never overlap.
  ///   - block: The block to call.
  /// - Returns: A token that you must keep. The observer ends when the token is deallocated.
  /// - Throws: `Realm.Error`, for the same reasons as the observation of the collection.
  /// - Complexity: O(elements) per call, and one evaluation of the key for each element that
  ///   changed.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping @Sendable (SectionedResultsChange<SectionedResults>) -> Void
  ) throws -> NotificationToken {
    try observation(keyPaths).observe(at: .queue(queue)) { block(SectionedResultsChange($0, $1)) }
  }

  /// Calls a block on an actor with the initial sections, and then with each change of them. See
  /// ``observe(keyPaths:on:_:)-([String]?,DispatchQueue?,_)``.
  ///
  /// - Parameters:
  ///   - keyPaths: The names of the watched properties.
  ///   - actor: The actor on which the block is called. The reference is weak.
  ///   - block: The block to call.
  /// - Returns: A token that you must keep. The observer ends when the token is deallocated.
  /// - Throws: `Realm.Error`.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A,
    _ block: @escaping @Sendable (isolated A, SectionedResultsChange<SectionedResults>) -> Void
  ) async throws -> NotificationToken {
    try observation(keyPaths).observe(at: .actor(actor)) { [weak actor] delivery, sections in
      actor?.assumeIsolated { block($0, SectionedResultsChange(delivery, sections)) }
    }
  }

  /// The initial sections, followed by each change. The sequence is empty for frozen sections, and
  /// when the object that the elements belong to was deleted. See ``ChangeSequence``.
  public var changes: ChangeSequence<Change<SectionedResults, SectionChanges>> {
    (try? observation(nil))?.sequence { $0 } ?? .empty
  }

  /// Returns the initial sections, followed by each change of the given properties.
  ///
  /// - Parameter keyPaths: The names of the watched properties.
  /// - Throws: `Realm.Error`; see ``observe(keyPaths:on:_:)-([String]?,DispatchQueue?,_)``.
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

  /// Returns the observation of the sections, or of one of them.
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
      let elementChanges = CollectionChanges(changes)
      let old = sections
      sections = old.advanced(by: elementChanges, order: rule.order) { rule.key(elements[$0]) }
      let change = sections.changes(since: old, elementChanges, only: key)
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
  /// Calls a block with the initial section, and then with each change of it. The index paths also
  /// contain the index of the section. See
  /// ``SectionedResults/observe(keyPaths:on:_:)-([String]?,DispatchQueue?,_)``.
  ///
  /// - Parameters:
  ///   - keyPaths: The names of the watched properties. Nil watches all properties, up to four
  ///     links away.
  ///   - queue: The queue on which the block is called. Nil means a serial queue of the store.
  ///     Calls never overlap.
  ///   - block: The block to call.
  /// - Returns: A token that you must keep. The observer ends when the token is deallocated.
  /// - Throws: `Realm.Error`, for the same reasons as the observation of the collection.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping @Sendable (SectionedResultsChange<ResultsSection>) -> Void
  ) throws -> NotificationToken {
    try observation(keyPaths).observe(at: .queue(queue)) { block(SectionedResultsChange($0, $1)) }
  }

  /// Calls a block on an actor with the initial section, and then with each change of it. See
  /// ``observe(keyPaths:on:_:)-([String]?,DispatchQueue?,_)``.
  ///
  /// - Parameters:
  ///   - keyPaths: The names of the watched properties.
  ///   - actor: The actor on which the block is called. The reference is weak.
  ///   - block: The block to call.
  /// - Returns: A token that you must keep. The observer ends when the token is deallocated.
  /// - Throws: `Realm.Error`.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A,
    _ block: @escaping @Sendable (isolated A, SectionedResultsChange<ResultsSection>) -> Void
  ) async throws -> NotificationToken {
    try observation(keyPaths).observe(at: .actor(actor)) { [weak actor] delivery, section in
      actor?.assumeIsolated { block($0, SectionedResultsChange(delivery, section)) }
    }
  }

  /// The initial section, followed by each change. See ``ChangeSequence``.
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
