import Glibc
import VarveCore

/// Releases the contents of unmanaged objects and collections iteratively. Chains of objects of any
/// length, linked by properties, lists or maps, and nested lists and maps are released without
/// nested calls.
///
/// Thread safety: each thread that releases contents has its own queue, which no other thread can
/// access.
final class ReleaseQueue {
  private var waiting: [_Boxed] = []
  /// Whole contents of collections.
  private var contents: [any UnmanagedElements] = []

  /// The thread-specific key of the queue; nil when the process has no keys left.
  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    return pthread_key_create(&key, nil) == 0 ? key : nil
  }()

  /// The queue of the calling thread while it releases contents.
  private static func running(_ key: pthread_key_t) -> ReleaseQueue? {
    // Safe because the call that set the pointer keeps the queue alive until it has reset the
    // pointer.
    pthread_getspecific(key).map { Unmanaged<ReleaseQueue>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Takes over values and releases them. While another call of the thread is releasing values, it
  /// enqueues them: that call has released the last reference to the object that contained them.
  static func release(_ boxes: inout [_Boxed]) {
    guard let key else { return }
    if let running = running(key) {
      running.waiting += boxes
      return
    }
    let queue = ReleaseQueue()
    // Nothing else may refer to the values, so that they are released here and not when the caller
    // returns.
    swap(&queue.waiting, &boxes)
    queue.run(key)
  }

  /// Takes over the content of a collection and releases or enqueues it.
  static func release<Content: UnmanagedElements>(_ content: inout Content) {
    guard let key, !content.isEmpty else { return }
    let queue = running(key)
    let own = queue ?? ReleaseQueue()
    own.contents.append(content)
    content = Content()
    if queue == nil { own.run(key) }
  }

  private func run(_ key: pthread_key_t) {
    pthread_setspecific(key, Unmanaged.passUnretained(self).toOpaque())
    while true {
      if let box = waiting.popLast() {
        withExtendedLifetime(box) {}
      } else if let content = contents.popLast() {
        withExtendedLifetime(content) {}
      } else {
        break
      }
    }
    pthread_setspecific(key, nil)
    withExtendedLifetime(self) {}
  }
}

extension _Boxed {
  /// Whether releasing the value may release the values of an unmanaged object.
  var mayReleaseUnmanaged: Bool {
    switch content {
    case .object(let object): !object.handle.isManaged
    case .collection(let collection): !collection.handle.isManaged
    case .value, .unset: false
    }
  }
}
