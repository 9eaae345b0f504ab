import Foundation
import Varve

@Model final class Note: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var text = ""
}

/// Waits for a condition.
///
/// - Throws: `TimedOut` after a minute.
func wait(for condition: () throws -> Bool) async throws {
  let end = ContinuousClock.now + .seconds(60)
  while try !condition() {
    guard ContinuousClock.now < end else { throw TimedOut() }
    try await Task.sleep(for: .milliseconds(2))
  }
}

struct TimedOut: Error {}
