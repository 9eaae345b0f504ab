import CVarve
import Glibc

/// Threads that run a single job.
package enum OwnThread {
  private final class Job: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(_ name: String, _ body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }
  }

  /// Starts a thread, which ends with its job.
  ///
  /// - Parameters:
  ///   - name: The system name of the thread: 15 bytes at most.
  ///   - body: The job.
  /// - Throws: `io` when the thread cannot be started. The job then never runs.
  package static func start(
    _ name: String, _ body: @escaping @Sendable () -> Void
  ) throws(StorageError) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    let context = Unmanaged.passRetained(Job(name, body))
    var thread = pthread_t()
    let result = pthread_create(
      &thread, &attributes,
      { context in
        guard let context else { return nil }
        let job = Unmanaged<Job>.fromOpaque(context).takeRetainedValue()
        varve_name_thread(job.name)
        job.body()
        return nil
      }, context.toOpaque())
    guard result == 0 else {
      context.release()
      throw StorageError.system(result, path: nil, "A thread could not be started.")
    }
  }
}
