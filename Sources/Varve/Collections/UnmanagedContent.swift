import Synchronization
import VarveCore

/// What a collection holds for as long as it is unmanaged.
///
/// Each call takes the cell of the collection, which says whether it is managed by now: another thread may make it so
/// at any time. A handle that is made managed has no such content.
///
/// Thread safety: a lock guards the content. The closures that are given run under it, and do not ask the collection.
final class UnmanagedContent<Content: Sendable>: Sendable {
  private struct State: Sendable {
    var content: Content
    /// Counts the changes, so that one is noticed while the content is stored.
    var changes = 0
    var recorder: _KeyPathRecorder?
  }
  private let state: Mutex<State>

  init(_ content: Content) { state = Mutex(State(content: content)) }

  /// What a closure makes of the content; nil for a managed collection.
  func read<R: Sendable>(_ cell: CollectionCell, _ body: (inout Content) -> R) -> R? {
    if cell.isTied { return nil }
    return state.withLock { cell.isTied ? nil : body(&$0.content) }
  }

  /// Changes the content.
  ///
  /// - Returns: false for a managed collection.
  func change(_ cell: CollectionCell, _ body: (inout Content) -> Void) -> Bool {
    if cell.isTied { return false }
    return state.withLock { state in
      guard !cell.isTied else { return false }
      body(&state.content)
      state.changes += 1
      return true
    }
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
  ///   - cell: the collection's, which `tie` ties.
  ///   - empty: what is held from then on.
  ///   - changes: ``changes`` from before the content was taken to be stored.
  ///   - tie: ties the cell.
  /// - Returns: the content, if somebody has changed it since; nil when nobody has, or when the collection was managed
  ///   already.
  func publish(
    _ cell: CollectionCell, empty: Content, changes: Int, _ tie: () -> Void
  ) -> Content? {
    state.withLock { state in
      guard !cell.isTied else { return nil }
      tie()
      defer { state.content = empty }
      return state.changes == changes ? nil : state.content
    }
  }
}
