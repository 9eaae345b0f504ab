import Synchronization
import VarveCore
import VarveEncoding
import VarveLocks

/// The content of an unmanaged collection.
///
/// Each call receives the handle of the collection, which determines whether the collection is
/// managed: another thread may make it managed at any time. The content of a managed collection is
/// not used.
///
/// Thread safety: a lock guards the content, and the closures passed to the methods run under it.
/// They do not call the collection and run no code of the model. They return the elements that they
/// remove, because releasing objects may run code.
///
/// Mixed values in the content are released through ``ReleaseQueue``, so that nested lists and maps
/// do not nest calls.
final class UnmanagedContent<Content: UnmanagedElements>: Sendable {
  private struct State: Sendable {
    var content: Content
    var recorder: _KeyPathRecorder?
  }
  private let state: Lock<State>
  /// Counts the changes, so that a change made while the content is stored is detected. Changed by
  /// the holder of the lock.
  private let changeCount = Atomic<Int>(0)

  init(_ content: Content) { state = Lock(State(content: content)) }

  deinit {
    guard Content.mayNest else { return }
    var content = Content()
    state.withLock { swap(&$0.content, &content) }
    ReleaseQueue.release(&content)
  }

  /// Calls a closure with the content and returns its result, or nil for a managed collection.
  func read<R: Sendable>(_ handle: CollectionHandle, _ body: (inout Content) -> R) -> R? {
    if handle.isManaged { return nil }
    return state.withLock { handle.isManaged ? nil : body(&$0.content) }
  }

  /// Calls a closure with the content, or returns the recorder of reads. Returns nil for a managed
  /// collection.
  func look<R: Sendable>(
    _ handle: CollectionHandle, _ body: (inout Content) -> R
  ) -> UnmanagedRead<R>? {
    if handle.isManaged { return nil }
    return state.withLock { state in
      if let recorder = state.recorder { return .recorder(recorder) }
      return handle.isManaged ? nil : .content(body(&state.content))
    }
  }

  /// Changes the content. The result of the closure is released outside of the lock.
  ///
  /// - Returns: False for a managed collection.
  func change<R: Sendable>(_ handle: CollectionHandle, _ body: (inout Content) -> R) -> Bool {
    if handle.isManaged { return false }
    let result: R? = state.withLock { state in
      guard !handle.isManaged else { return nil }
      changeCount.wrappingAdd(1, ordering: .releasing)
      return body(&state.content)
    }
    return result != nil
  }

  /// The number of changes to the content.
  var changes: Int { changeCount.load(ordering: .acquiring) }

  /// The recorder of reads, for the collection of an object on which a key path is evaluated.
  var recorder: _KeyPathRecorder? {
    get { state.withLock { $0.recorder } }
    set { state.withLock { $0.recorder = newValue } }
  }

  /// Makes the collection managed, atomically.
  ///
  /// - Parameters:
  ///   - handle: The handle of the collection, which `attach` attaches.
  ///   - empty: The content from then on.
  ///   - changes: The value of ``changes`` before the content was copied to be stored.
  ///   - attach: Attaches the handle.
  /// - Returns: The content if it has changed since, otherwise nil. Also nil when the collection
  ///   was already managed.
  func publish(
    _ handle: CollectionHandle, empty: Content, changes: Int, _ attach: () -> Void
  ) -> Content? {
    let result: (content: Content, isChanged: Bool)? = state.withLock { state in
      guard !handle.isManaged else { return nil }
      attach()
      defer { state.content = empty }
      return (state.content, changeCount.load(ordering: .relaxed) != changes)
    }
    return result.flatMap { $0.isChanged ? $0.content : nil }
  }
}

/// The result of reading an unmanaged collection.
enum UnmanagedRead<R: Sendable>: Sendable {
  case content(R)
  /// The collection belongs to an object that a key path is evaluated on.
  case recorder(_KeyPathRecorder)
}

/// The elements of an unmanaged collection.
protocol UnmanagedElements: Sendable {
  /// Creates empty content.
  init()

  /// Whether elements may contain collections.
  static var mayNest: Bool { get }
  var isEmpty: Bool { get }
}

extension Array: UnmanagedElements where Element: RealmCollectionValue {
  static var mayNest: Bool { Element._$elementType.kind.type == .mixed }
}

extension UnmanagedMap: UnmanagedElements where Value: RealmCollectionValue {
  static var mayNest: Bool { Value._$elementType.kind.type == .mixed }
  var isEmpty: Bool { entries.isEmpty }
}

extension UnmanagedSet: UnmanagedElements {
  init() { self.init([]) }

  /// Sets contain no lists or maps.
  static var mayNest: Bool { false }
  var isEmpty: Bool { count == 0 }
}
