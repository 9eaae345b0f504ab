import Dispatch
import Varve

/// Holds up the opening of a store until it is told to go on.
final class OpeningGate: Sendable {
  private let reached = Flag()
  private let end = DispatchSemaphore(value: 0)

  /// Whether the opening stands at the gate.
  var isReached: Bool { reached.isSet }

  /// A configuration whose opening stops here.
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
