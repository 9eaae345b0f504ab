public import Dispatch

// Key paths in place of names: the compiler checks them.

extension SectionedResults where SectionElement: _KeyPathNamed {
  /// As ``observe(keyPaths:on:_:)-([String]?,DispatchQueue?,_)``, with key paths that the compiler checks.
  ///
  /// - Throws: `Realm.Error`: also `.unknownProperty` for a key path that is no persisted property, nor a chain of
  ///   to-one links that ends in one.
  @_disfavoredOverload
  public func observe(
    keyPaths: [PartialKeyPath<SectionElement>], on queue: DispatchQueue? = nil,
    _ block: @escaping @Sendable (SectionedResultsChange<SectionedResults>) -> Void
  ) throws -> NotificationToken {
    try observe(keyPaths: try keyPathNames(keyPaths), on: queue, block)
  }

  /// As ``observe(keyPaths:on:_:)-([String]?,A,_)``, with key paths that the compiler checks.
  @_disfavoredOverload
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<SectionElement>], on actor: A,
    _ block: @escaping @Sendable (isolated A, SectionedResultsChange<SectionedResults>) -> Void
  ) async throws -> NotificationToken {
    try await observe(keyPaths: try keyPathNames(keyPaths), on: actor, block)
  }
}

extension ResultsSection where Element: _KeyPathNamed {
  /// As ``observe(keyPaths:on:_:)-([String]?,DispatchQueue?,_)``, with key paths that the compiler checks.
  ///
  /// - Throws: `Realm.Error`: also `.unknownProperty` for a key path that is no persisted property, nor a chain of
  ///   to-one links that ends in one.
  @_disfavoredOverload
  public func observe(
    keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue? = nil,
    _ block: @escaping @Sendable (SectionedResultsChange<ResultsSection>) -> Void
  ) throws -> NotificationToken {
    try observe(keyPaths: try keyPathNames(keyPaths), on: queue, block)
  }

  /// As ``observe(keyPaths:on:_:)-([String]?,A,_)``, with key paths that the compiler checks.
  @_disfavoredOverload
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Element>], on actor: A,
    _ block: @escaping @Sendable (isolated A, SectionedResultsChange<ResultsSection>) -> Void
  ) async throws -> NotificationToken {
    try await observe(keyPaths: try keyPathNames(keyPaths), on: actor, block)
  }
}
