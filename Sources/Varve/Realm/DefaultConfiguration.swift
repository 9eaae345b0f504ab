import Synchronization
import VarveCore

/// What `Realm.Configuration.defaultConfiguration` reads and sets: the default of the process, or of a task.
///
/// Thread safety: a lock guards the configuration.
package final class DefaultConfiguration: Sendable {
  private let configuration: Mutex<Realm.Configuration>

  private static let ofProcess = DefaultConfiguration(Realm.Configuration())
  /// Whether any task ever had a default of its own: where none has, nobody looks for one.
  private static let isReplaced = Atomic<Bool>(false)
  @TaskLocal private static var ofTask: DefaultConfiguration?

  private init(_ configuration: Realm.Configuration) {
    self.configuration = Mutex(configuration)
  }

  /// A closure that has the default of the calling task wherever it runs: on the writer thread there is no task.
  static func carried<R>(
    _ body: @escaping @Sendable () throws -> R
  ) -> @Sendable () throws -> R {
    guard isReplaced.load(ordering: .relaxed), let own = ofTask else { return body }
    return { try $ofTask.withValue(own, operation: body) }
  }

  static func carried(_ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    guard isReplaced.load(ordering: .relaxed), let own = ofTask else { return body }
    return { $ofTask.withValue(own, operation: body) }
  }

  static var current: DefaultConfiguration {
    isReplaced.load(ordering: .relaxed) ? ofTask ?? ofProcess : ofProcess
  }

  var value: Realm.Configuration {
    get { configuration.withLock { $0 } }
    set { configuration.withLock { $0 = newValue } }
  }

  /// Runs `body`, for which and for whose child tasks `configuration` is the default.
  package static func with<R>(
    _ configuration: Realm.Configuration, _ body: () throws -> R
  ) rethrows -> R {
    isReplaced.store(true, ordering: .relaxed)
    return try $ofTask.withValue(DefaultConfiguration(configuration), operation: body)
  }

  /// As ``with(_:_:)-(_,()->R)``, for a body that waits.
  package static func with<R>(
    _ configuration: Realm.Configuration, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> R
  ) async rethrows -> R {
    isReplaced.store(true, ordering: .relaxed)
    return try await $ofTask.withValue(DefaultConfiguration(configuration), operation: body)
  }
}
