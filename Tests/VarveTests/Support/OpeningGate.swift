import Dispatch
import Varve

/// Blocks the opening of a store until ``open()`` is called.
final class OpeningGate: Sendable {
  private let reached = Flag()
  private let end = DispatchSemaphore(value: 0)

  /// Whether the opening waits at the gate.
  var isReached: Bool { reached.isSet }

  /// A configuration whose opening blocks here.
  func holding(_ configuration: Realm.Configuration) -> Realm.Configuration {
    var configuration = configuration
    configuration.shouldCompactOnLaunch = { [self] _, _ in
      reached.set()
      end.wait()
      return false
    }
    return configuration
  }

  func open() { end.signal() }
}
