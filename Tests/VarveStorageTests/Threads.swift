import Glibc
import Synchronization

/// A number that threads increment.
final class Counter: Sendable {
  private let number = Atomic<Int>(0)
  var value: Int { number.load(ordering: .sequentiallyConsistent) }
  func add() { number.add(1, ordering: .sequentiallyConsistent) }
}

/// Runs a body on several new threads, and waits for all.
///
/// Threads instead of tasks: the pool of tasks may have only one thread, and would then show no
/// race.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  final class Job: Sendable {
    let number: Int
    let body: @Sendable (Int) -> Void
    init(number: Int, body: @escaping @Sendable (Int) -> Void) {
      self.number = number
      self.body = body
    }
  }
  var threads: [pthread_t] = []
  for number in 0..<count {
    let job = Unmanaged.passRetained(Job(number: number, body: body))
    var thread = pthread_t()
    let result = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        let job = Unmanaged<Job>.fromOpaque(context).takeRetainedValue()
        job.body(job.number)
        return nil
      }, job.toOpaque())
    if result == 0 { threads.append(thread) } else { job.release() }
  }
  for thread in threads { pthread_join(thread, nil) }
}
