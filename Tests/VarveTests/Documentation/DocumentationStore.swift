import Testing
import Varve

/// Runs an example with a store of its own under the default configuration, as often as asked.
///
/// The examples of the documents are in these files word for word; `.ci/check-examples` compares them.
func withDefaultRealm(
  runs: Int = 1, sourceLocation: SourceLocation = #_sourceLocation, _ example: () throws -> Void
) throws {
  let store = try TemporaryRealm()
  let before = Realm.Configuration.defaultConfiguration
  Realm.Configuration.defaultConfiguration = store.configuration
  defer {
    Realm.Configuration.defaultConfiguration = before
    store.end()
  }
  for _ in 0..<runs { try example() }
}

/// As ``withDefaultRealm(runs:sourceLocation:_:)``, for examples that wait.
func withDefaultRealm(
  sourceLocation: SourceLocation = #_sourceLocation, _ example: () async throws -> Void
) async throws {
  let store = try TemporaryRealm()
  let before = Realm.Configuration.defaultConfiguration
  Realm.Configuration.defaultConfiguration = store.configuration
  defer {
    Realm.Configuration.defaultConfiguration = before
    store.end()
  }
  try await example()
}

/// What an example prints.
struct Printed {
  private(set) var lines: [String] = []

  mutating func add(_ items: [Any]) {
    lines.append(items.map { "\($0)" }.joined(separator: " "))
  }
}
