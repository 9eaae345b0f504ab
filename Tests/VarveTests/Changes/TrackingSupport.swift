import Foundation
import Observation
import Synchronization
import Testing
import Varve

/// What those who track are told: how often, and what they read then.
final class Told: Sendable {
  private let heard = Heard<String>()

  /// Reads inside a scope, and notes when it is told.
  ///
  /// - Parameters:
  ///   - then: what is noted; read when it is told.
  ///   - read: what is tracked.
  func track<R>(
    _ then: @escaping @Sendable () -> String = { "" }, _ read: () -> R
  ) -> R {
    withObservationTracking(read) { [heard] in heard.note(then()) }
  }

  var all: [String] { heard.all }
  var count: Int { heard.all.count }

  /// Waits until it was told so often.
  @discardableResult
  func wait(for count: Int, sourceLocation: SourceLocation = #_sourceLocation) -> [String] {
    heard.wait(for: count, sourceLocation: sourceLocation)
  }
}

/// Runs a test with a store whose realms track reads.
func withTrackedRealm<R>(_ body: (Realm, TemporaryRealm) throws -> R) throws -> R {
  try withTemporaryRealm({ $0.tracksObservation = true }) { realm, store in
    try realm.write { realm.add(Ewe(1, name: "Dolly", age: 3)) }
    return try body(realm, store)
  }
}

/// As ``withTrackedRealm(_:)``, for tests that wait.
func withTrackedRealm<R>(_ body: (Realm, TemporaryRealm) async throws -> R) async throws -> R {
  try await withTemporaryRealm({ $0.tracksObservation = true }) { realm, store in
    try await realm.write { realm.add(Ewe(1, name: "Dolly", age: 3)) }
    return try await body(realm, store)
  }
}

extension Realm {
  /// The ewe with a number.
  func ewe(_ id: Int, sourceLocation: SourceLocation = #_sourceLocation) throws -> Ewe {
    try #require(object(ofType: Ewe.self, forPrimaryKey: id), sourceLocation: sourceLocation)
  }
}

extension TemporaryRealm {
  /// Commits through a realm that tracks nothing.
  func writeElsewhere(_ body: (Realm) throws -> Void) throws {
    var other = configuration
    other.tracksObservation = false
    let realm = try Realm(configuration: other)
    try realm.write { try body(realm) }
  }
}
