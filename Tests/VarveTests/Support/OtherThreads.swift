import Foundation
import Synchronization
import Testing
import Varve

/// Runs a body on a new thread, and waits for its end.
func onAnotherThread(_ body: @escaping @Sendable () throws -> Void) {
  let ended = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    do {
      try body()
    } catch {
      Issue.record(error)
    }
    ended.signal()
  }
  ended.wait()
}

/// Runs a body on a thread with a stack of 512 KiB, as worker threads may have.
///
/// `size` is the stack size in bytes. A hundred nested calls of an encoder need more than the
/// default when they are compiled for debugging.
func onASmallStack(size: Int = 512 << 10, _ body: @escaping @Sendable () throws -> Void) {
  let ended = DispatchSemaphore(value: 0)
  let thread = Thread {
    do {
      try body()
    } catch {
      Issue.record(error)
    }
    ended.signal()
  }
  thread.stackSize = size
  thread.start()
  ended.wait()
}

/// A flag that is set once and readable from all threads.
final class Flag: Sendable {
  private let bit = Atomic<Bool>(false)
  var isSet: Bool { bit.load(ordering: .acquiring) }
  func set() { bit.store(true, ordering: .releasing) }
}

/// A write transaction that a separate thread keeps open until ``end()`` is called.
final class OpenWrite: Sendable {
  private let release = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)

  /// Returns when the write has begun.
  init(_ configuration: Realm.Configuration) {
    let begun = DispatchSemaphore(value: 0)
    Thread.detachNewThread { [release, ended] in
      do {
        let realm = try Realm(configuration: configuration)
        try realm.write {
          begun.signal()
          release.wait()
        }
      } catch {
        Issue.record(error)
        begun.signal()
      }
      ended.signal()
    }
    begun.wait()
  }

  /// Ends the write, and waits until it has ended.
  func end() {
    release.signal()
    ended.wait()
  }
}
