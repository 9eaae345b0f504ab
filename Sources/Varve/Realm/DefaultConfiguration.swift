import Synchronization
import VarveCore
import VarveLocks

/// The storage behind `Realm.Configuration.defaultConfiguration`: the default of the process or of
/// a task.
///
/// Thread safety: a lock guards the configuration.
package final class DefaultConfiguration: Sendable {
  private let configuration: Lock<Realm.Configuration>

  private static let ofProcess = DefaultConfiguration(Realm.Configuration())
  /// Whether any task has ever had a default of its own. While it is false, the task-local value is
  /// not read.
  private static let isReplaced = Atomic<Bool>(false)
  @TaskLocal private static var ofTask: DefaultConfiguration?

  private init(_ configuration: Realm.Configuration) {
    self.configuration = Lock(configuration)
  }

  /// Returns a closure that runs with the calling task's default. The writer thread runs outside of
  /// any task.
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

  /// Runs `body` with `configuration` as the default of `body` and its child tasks.
  package static func with<R>(
    _ configuration: Realm.Configuration, _ body: () throws -> R
  ) rethrows -> R {
    isReplaced.store(true, ordering: .relaxed)
    return try $ofTask.withValue(DefaultConfiguration(configuration), operation: body)
  }

  /// Runs an asynchronous `body` with `configuration` as the default of `body` and its child tasks.
  package static func with<R>(
    _ configuration: Realm.Configuration, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> R
  ) async rethrows -> R {
    isReplaced.store(true, ordering: .relaxed)
    return try await $ofTask.withValue(DefaultConfiguration(configuration), operation: body)
  }
}
