import Glibc
import VarveCore

/// Releases what unmanaged objects hold one after another: a chain of objects of any length, linked by
/// properties, lists or maps, does not nest the calls that end them.
///
/// Thread safety: each thread that releases has a queue of its own, which no other can reach.
final class ReleaseQueue {
  private var waiting: [_Boxed] = []

  /// Names the queue of the calling thread, while there is one; nil where the process has no key left.
  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    return pthread_key_create(&key, nil) == 0 ? key : nil
  }()

  /// Takes values over and releases them, or has them wait while another call of the thread releases
  /// some: that call has come upon the last reference to the object that held them.
  static func release(_ boxes: inout [_Boxed]) {
    guard let key else { return }
    if let running = pthread_getspecific(key) {
      // Safe because the call that set the pointer keeps the queue until it has set it back.
      Unmanaged<ReleaseQueue>.fromOpaque(running).takeUnretainedValue().waiting += boxes
      return
    }
    let queue = ReleaseQueue()
    // Nobody else may hold the values: they are to end here, and not when the caller returns.
    swap(&queue.waiting, &boxes)
    pthread_setspecific(key, Unmanaged.passUnretained(queue).toOpaque())
    while let box = queue.waiting.popLast() { withExtendedLifetime(box) {} }
    pthread_setspecific(key, nil)
    withExtendedLifetime(queue) {}
  }
}

extension _Boxed {
  /// Whether releasing the value may release the values of an unmanaged object.
  var holdsUnmanaged: Bool {
    switch content {
    case .object(let object): !object.cell.isTied
    case .collection(let handle): !handle.isManaged
    case .value, .unset: false
    }
  }
}
