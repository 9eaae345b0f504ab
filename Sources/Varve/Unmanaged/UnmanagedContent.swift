import Synchronization
import VarveCore
import VarveEncoding

/// What a collection holds for as long as it is unmanaged.
///
/// Each call takes the handle of the collection, which says whether it is managed by now: another thread may make it so
/// at any time. A handle that is made managed has no such content.
///
/// Thread safety: a lock guards the content. The closures that are given run under it. They do not ask the collection,
/// and run no code of the model: they give back what they take out, since objects run code when they end.
///
/// Mixed values among the content end through ``ReleaseQueue``: lists and maps nested in them do not nest calls.
final class UnmanagedContent<Content: HeldContent>: Sendable {
  private struct State: Sendable {
    var content: Content
    /// Counts the changes, so that one is noticed while the content is stored.
    var changes = 0
    var recorder: _KeyPathRecorder?
  }
  private let state: Mutex<State>

  init(_ content: Content) { state = Mutex(State(content: content)) }

  deinit {
    guard Content.mayNest else { return }
    var content = Content()
    state.withLock { swap(&$0.content, &content) }
    ReleaseQueue.release(&content)
  }

  /// What a closure makes of the content; nil for a managed collection.
  func read<R: Sendable>(_ handle: CollectionHandle, _ body: (inout Content) -> R) -> R? {
    if handle.isManaged { return nil }
    return state.withLock { handle.isManaged ? nil : body(&$0.content) }
  }

  /// What a closure makes of the content, or what records the reads of it; nil for a managed collection.
  func look<R: Sendable>(
    _ handle: CollectionHandle, _ body: (inout Content) -> R
  ) -> UnmanagedRead<R>? {
    if handle.isManaged { return nil }
    return state.withLock { state in
      if let recorder = state.recorder { return .recorder(recorder) }
      return handle.isManaged ? nil : .content(body(&state.content))
    }
  }

  /// Changes the content. What the closure gives back ends outside of the lock.
  ///
  /// - Returns: false for a managed collection.
  func change<R: Sendable>(_ handle: CollectionHandle, _ body: (inout Content) -> R) -> Bool {
    if handle.isManaged { return false }
    let taken: R? = state.withLock { state in
      guard !handle.isManaged else { return nil }
      state.changes += 1
      return body(&state.content)
    }
    return taken != nil
  }

  /// How often the content was changed.
  var changes: Int { state.withLock { $0.changes } }

  /// What records the reads of a collection that a key path is evaluated on.
  var recorder: _KeyPathRecorder? {
    get { state.withLock { $0.recorder } }
    set { state.withLock { $0.recorder = newValue } }
  }

  /// Makes the collection managed: one atomic publication.
  ///
  /// - Parameters:
  ///   - handle: the collection's, which `tie` ties.
  ///   - empty: what is held from then on.
  ///   - changes: ``changes`` from before the content was taken to be stored.
  ///   - attach: ties the handle.
  /// - Returns: the content, if somebody has changed it since; nil when nobody has, or when the collection was managed
  ///   already.
  func publish(
    _ handle: CollectionHandle, empty: Content, changes: Int, _ attach: () -> Void
  ) -> Content? {
    let taken: (content: Content, isChanged: Bool)? = state.withLock { state in
      guard !handle.isManaged else { return nil }
      attach()
      defer { state.content = empty }
      return (state.content, state.changes != changes)
    }
    return taken.flatMap { $0.isChanged ? $0.content : nil }
  }
}

/// What a read of an unmanaged collection gives.
enum UnmanagedRead<R: Sendable>: Sendable {
  case content(R)
  /// The collection belongs to an object that a key path is evaluated on.
  case recorder(_KeyPathRecorder)
}

/// The elements of an unmanaged collection.
protocol HeldContent: Sendable {
  /// No elements.
  init()

  /// Whether elements may have collections in them.
  static var mayNest: Bool { get }
  var isEmpty: Bool { get }
}

extension Array: HeldContent where Element: RealmCollectionValue {
  static var mayNest: Bool { Element._$elementType.kind.type == .mixed }
}

extension UnmanagedMap: HeldContent where Value: RealmCollectionValue {
  static var mayNest: Bool { Value._$elementType.kind.type == .mixed }
  var isEmpty: Bool { entries.isEmpty }
}

extension UnmanagedSet: HeldContent {
  init() { self.init([]) }

  /// Sets have no lists and no maps in them.
  static var mayNest: Bool { false }
  var isEmpty: Bool { count == 0 }
}
