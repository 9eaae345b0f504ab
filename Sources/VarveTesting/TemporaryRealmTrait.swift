public import Testing
public import Varve

/// A trait that gives each test its own store. See `temporaryRealm`.
public struct TemporaryRealmTrait: TestTrait, SuiteTrait, TestScoping {
  let place: TemporaryRealmLocation
  let configuration: (@Sendable () -> Realm.Configuration)?

  /// Whether the trait applies to the tests of a suite: true. Each of them has its own store.
  public var isRecursive: Bool { true }

  /// Runs a test, or a case of a test, with its own store.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTemporaryRealm(in: place, configuration: configuration?()) { _ in
      try await function()
    }
  }
}

extension Trait where Self == TemporaryRealmTrait {
  /// Gives a test, each case of a parameterized test or each test of a suite its own in-memory
  /// store.
  ///
  /// ```swift
  /// @Suite(.temporaryRealm) struct NoteTests {
  ///   @Test func noteIsAdded() async throws {
  ///     let realm = try Realm()
  ///     try await realm.write { realm.add(Note()) }
  ///     #expect(realm.objects(Note.self).count == 1)
  ///   }
  /// }
  /// ```
  ///
  /// The store is that of the default configuration while the test runs. It is empty when the test
  /// begins and closed when the test ends. Concurrent tests do not see each other's stores. See
  /// `withTemporaryRealm` for the limits of the default configuration.
  public static var temporaryRealm: Self { temporaryRealm() }

  /// Gives a test its own store at a location. See ``temporaryRealm``.
  ///
  /// - Parameter place: The location of the store.
  public static func temporaryRealm(in place: TemporaryRealmLocation = .memory) -> Self {
    TemporaryRealmTrait(place: place, configuration: nil)
  }

  /// Gives a test its own store, opened with a configuration other than the default one. See
  /// ``temporaryRealm``.
  ///
  /// - Parameters:
  ///   - place: The location of the store.
  ///   - configuration: The classes, the schema version and all other options of the store; its
  ///     file is not used. Evaluated when a test begins.
  public static func temporaryRealm(
    in place: TemporaryRealmLocation = .memory,
    configuration: @autoclosure @escaping @Sendable () -> Realm.Configuration
  ) -> Self {
    TemporaryRealmTrait(place: place, configuration: configuration)
  }
}
