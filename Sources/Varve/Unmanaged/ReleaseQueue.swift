import Glibc
import VarveCore

/// Releases what unmanaged objects and collections hold one after another: a chain of objects of any length, linked by
/// properties, lists or maps, does not nest the calls that end them, and neither do lists and maps in one another.
///
/// Thread safety: each thread that releases has a queue of its own, which no other can reach.
final class ReleaseQueue {
  private var waiting: [_Boxed] = []
  /// Contents of collections, whole.
  private var contents: [any HeldContent] = []

  /// Names the queue of the calling thread, while there is one; nil where the process has no key left.
  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    return pthread_key_create(&key, nil) == 0 ? key : nil
  }()

  /// The queue of the calling thread, while a call of it releases.
  private static func running(_ key: pthread_key_t) -> ReleaseQueue? {
    // Safe because the call that set the pointer keeps the queue until it has set it back.
    pthread_getspecific(key).map { Unmanaged<ReleaseQueue>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Takes values over and releases them, or has them wait while another call of the thread releases
  /// some: that call has come upon the last reference to the object that held them.
  static func release(_ boxes: inout [_Boxed]) {
    guard let key else { return }
    if let running = running(key) {
      running.waiting += boxes
      return
    }
    let queue = ReleaseQueue()
    // Nobody else may hold the values: they are to end here, and not when the caller returns.
    swap(&queue.waiting, &boxes)
    queue.run(key)
  }

  /// As the other one, for the content of a collection.
  static func release<Content: HeldContent>(_ content: inout Content) {
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
  var holdsUnmanaged: Bool {
    switch content {
    case .object(let object): !object.handle.isManaged
    case .collection(let collection): !collection.handle.isManaged
    case .value, .unset: false
    }
  }
}
