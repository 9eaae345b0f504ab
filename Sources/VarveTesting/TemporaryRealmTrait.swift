public import Testing
public import Varve

/// Gives each test a store of its own; see the trait `temporaryRealm`.
public struct TemporaryRealmTrait: TestTrait, SuiteTrait, TestScoping {
  let place: TemporaryRealmLocation
  let configuration: (@Sendable () -> Realm.Configuration)?

  /// The tests of a suite have a store each.
  public var isRecursive: Bool { true }

  /// Runs a test, or one of its cases, with a store of its own.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTemporaryRealm(in: place, configuration: configuration?()) { _ in
      try await function()
    }
  }
}

extension Trait where Self == TemporaryRealmTrait {
  /// Gives a test, each case of a test with arguments, or each test of a suite, a store of its own in memory.
  ///
  /// ```swift
  /// @Suite(.temporaryRealm) struct NoteTests {
  ///   @Test func aNoteIsAdded() async throws {
  ///     let realm = try Realm()
  ///     try await realm.write { realm.add(Note()) }
  ///     #expect(realm.objects(Note.self).count == 1)
  ///   }
  /// }
  /// ```
  ///
  /// The store is the one of the default configuration while the test runs, empty when it begins, and closed when it has
  /// ended. Tests that run at the same time do not see each other's. See
  /// `withTemporaryRealm` for what a test must do without.
  public static var temporaryRealm: Self { temporaryRealm() }

  /// As ``temporaryRealm``, in another place.
  ///
  /// - Parameter place: where the store is.
  /// - Returns: the trait.
  public static func temporaryRealm(in place: TemporaryRealmLocation = .memory) -> Self {
    TemporaryRealmTrait(place: place, configuration: nil)
  }

  /// As ``temporaryRealm``, opened with another configuration than the default one.
  ///
  /// - Parameters:
  ///   - place: where the store is.
  ///   - configuration: the classes, the schema version and whatever else the store is opened with; its file is not used.
  ///     Evaluated when a test begins.
  /// - Returns: the trait.
  public static func temporaryRealm(
    in place: TemporaryRealmLocation = .memory,
    configuration: @autoclosure @escaping @Sendable () -> Realm.Configuration
  ) -> Self {
    TemporaryRealmTrait(place: place, configuration: configuration)
  }
}
