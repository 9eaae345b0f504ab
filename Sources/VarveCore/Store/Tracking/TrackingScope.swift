import Glibc
import Observation

/// Detects whether the calling thread is inside `withObservationTracking`, which the Observation
/// module has no API for.
///
/// Inside, the key path of an access is inserted into a set, which hashes it; outside, an access
/// does nothing. Therefore a key path is accessed that records when it is hashed.
enum TrackingScope {
  /// Set to a non-null value by a thread that hashes the key path.
  private static let threadKey: pthread_key_t = {
    var key = pthread_key_t()
    let status = pthread_key_create(&key, nil)
    precondition(status == 0, "The system has no more thread-specific keys.")
    return key
  }()

  struct Probe: Hashable, Sendable {
    func hash(into hasher: inout Hasher) {
      _ = pthread_setspecific(TrackingScope.threadKey, UnsafeRawPointer(bitPattern: 1))
    }
  }

  /// Returns whether the calling thread is inside a scope. A false positive is possible, and costs
  /// only time.
  ///
  /// Inside a scope, the probe is inserted into its access list, as for any property of the
  /// subject.
  @inline(__always)
  static func isActive(_ tracking: ReadTracking) -> Bool {
    !isDetectable || isNoted(tracking.registrar, tracking)
  }

  private static func isNoted(_ registrar: ObservationRegistrar, _ tracking: ReadTracking) -> Bool {
    _ = pthread_setspecific(threadKey, nil)
    registrar.access(tracking, keyPath: probe)
    return pthread_getspecific(threadKey) != nil
  }

  private static let probe: any KeyPath<ReadTracking, Bool> & Sendable = \ReadTracking[Probe()]

  /// Whether an access is hashed inside a scope. If not, every read is treated as one inside a
  /// scope.
  private static let isDetectable: Bool = {
    let subject = DetectionSubject()
    var isFound = false
    withObservationTracking {
      _ = pthread_setspecific(threadKey, nil)
      subject.registrar.access(subject, keyPath: \.[Probe()])
      isFound = pthread_getspecific(threadKey) != nil
    } onChange: {
    }
    return isFound
  }()

  private final class DetectionSubject: Observable, Sendable {
    let registrar = ObservationRegistrar()
    subscript(probe: Probe) -> Bool { true }
  }
}
