import Foundation
import Observation
import Synchronization
import Testing
import Varve

/// Counts the notifications of tracked reads, and records a value for each.
final class TrackingRecorder: Sendable {
  private let events = EventRecorder<String>()

  /// Reads inside a tracking scope, and records each notification.
  ///
  /// - Parameters:
  ///   - then: Returns the value to record; called in the notification.
  ///   - read: Makes the tracked reads.
  func track<R>(
    _ then: @escaping @Sendable () -> String = { "" }, _ read: () -> R
  ) -> R {
    withObservationTracking(read) { [events] in events.note(then()) }
  }

  var all: [String] { events.all }
  var count: Int { events.all.count }

  /// Waits for `count` notifications.
  @discardableResult
  func wait(for count: Int, sourceLocation: SourceLocation = #_sourceLocation) -> [String] {
    events.wait(for: count, sourceLocation: sourceLocation)
  }
}

/// Runs a test with a store whose realms track reads.
func withTrackedRealm<R>(_ body: (Realm, TemporaryRealm) throws -> R) throws -> R {
  try withTemporaryRealm({ $0.tracksObservation = true }) { realm, store in
    try realm.write { realm.add(Ewe(1, name: "Dolly", age: 3)) }
    return try body(realm, store)
  }
}

/// Runs an asynchronous test with a store whose realms track reads.
func withTrackedRealm<R>(_ body: (Realm, TemporaryRealm) async throws -> R) async throws -> R {
  try await withTemporaryRealm({ $0.tracksObservation = true }) { realm, store in
    try await realm.write { realm.add(Ewe(1, name: "Dolly", age: 3)) }
    return try await body(realm, store)
  }
}

extension Realm {
  /// The ewe with the given primary key.
  func ewe(_ id: Int, sourceLocation: SourceLocation = #_sourceLocation) throws -> Ewe {
    try #require(object(ofType: Ewe.self, forPrimaryKey: id), sourceLocation: sourceLocation)
  }
}

extension TemporaryRealm {
  /// Commits through a realm that does not track reads.
  func writeElsewhere(_ body: (Realm) throws -> Void) throws {
    var other = configuration
    other.tracksObservation = false
    let realm = try Realm(configuration: other)
    try realm.write { try body(realm) }
  }
}
