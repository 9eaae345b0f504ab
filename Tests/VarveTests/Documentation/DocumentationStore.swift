import Testing
import Varve

/// Runs an example `runs` times with a separate store as the default configuration.
///
/// The examples of the documents are copied verbatim into these files; `.ci/check-examples`
/// compares them.
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

/// Runs an asynchronous example with a separate store as the default configuration.
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

/// The output of an example.
struct Printed {
  private(set) var lines: [String] = []

  mutating func add(_ items: [Any]) {
    lines.append(items.map { "\($0)" }.joined(separator: " "))
  }
}
