import Foundation
import Synchronization
import Testing
import Varve

/// Runs a body on a thread of its own, and waits for its end.
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
/// `size`: of the stack, in bytes. A hundred nested calls of an encoder take more than the small one when they are built
/// for debugging.
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

/// Something that has happened or not, for other threads to see.
final class Flag: Sendable {
  private let bit = Atomic<Bool>(false)
  var isSet: Bool { bit.load(ordering: .acquiring) }
  func set() { bit.store(true, ordering: .releasing) }
}

/// A write that a thread of its own holds open until it is let go.
final class HeldWrite: Sendable {
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

  /// Lets the write end, and waits until it has.
  func end() {
    release.signal()
    ended.wait()
  }
}
