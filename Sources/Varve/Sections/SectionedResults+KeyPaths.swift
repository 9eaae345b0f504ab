public import Dispatch

// Key paths instead of names: the compiler checks them.

extension SectionedResults where SectionElement: _KeyPathNamed {
  /// Calls a block with the initial sections, and then with each change, and watches properties
  /// given as key paths. See ``observe(keyPaths:on:_:)-([String]?,DispatchQueue?,_)``.
  ///
  /// - Throws: `Realm.Error`: also `.unknownProperty` for a key path that is neither a persisted
  ///   property nor a chain of to-one links to one.
  @_disfavoredOverload
  public func observe(
    keyPaths: [PartialKeyPath<SectionElement>], on queue: DispatchQueue? = nil,
    _ block: @escaping @Sendable (SectionedResultsChange<SectionedResults>) -> Void
  ) throws -> NotificationToken {
    try observe(keyPaths: try keyPathNames(keyPaths), on: queue, block)
  }

  /// Calls a block on an actor with the initial sections, and then with each change, and watches
  /// properties given as key paths. See ``observe(keyPaths:on:_:)-([String]?,A,_)``.
  @_disfavoredOverload
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<SectionElement>], on actor: A,
    _ block: @escaping @Sendable (isolated A, SectionedResultsChange<SectionedResults>) -> Void
  ) async throws -> NotificationToken {
    try await observe(keyPaths: try keyPathNames(keyPaths), on: actor, block)
  }
}

extension ResultsSection where Element: _KeyPathNamed {
  /// Calls a block with the initial section, and then with each change, and watches properties
  /// given as key paths. See ``observe(keyPaths:on:_:)-([String]?,DispatchQueue?,_)``.
  ///
  /// - Throws: `Realm.Error`: also `.unknownProperty` for a key path that is neither a persisted
  ///   property nor a chain of to-one links to one.
  @_disfavoredOverload
  public func observe(
    keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue? = nil,
    _ block: @escaping @Sendable (SectionedResultsChange<ResultsSection>) -> Void
  ) throws -> NotificationToken {
    try observe(keyPaths: try keyPathNames(keyPaths), on: queue, block)
  }

  /// Calls a block on an actor with the initial section, and then with each change, and watches
  /// properties given as key paths. See ``observe(keyPaths:on:_:)-([String]?,A,_)``.
  @_disfavoredOverload
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Element>], on actor: A,
    _ block: @escaping @Sendable (isolated A, SectionedResultsChange<ResultsSection>) -> Void
  ) async throws -> NotificationToken {
    try await observe(keyPaths: try keyPathNames(keyPaths), on: actor, block)
  }
}
