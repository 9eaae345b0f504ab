import VarveCore

/// Changes, as an asynchronous sequence.
///
/// ```swift
/// for await change in dogs.changes { print(change.collection.count) }
/// ```
///
/// Each iterator is an observer of its own. Of a collection the first element is the state at the newest version; an
/// object and a realm begin with the first change after the version that they read when the iterator is made. Each
/// further element is worked out when it is asked for, from the version of the element before: nothing is queued, and
/// what was committed meanwhile is in one element, exactly. Commits that change nothing of it give no element.
///
/// The sequence ends when the task is cancelled, when the store is closed, and after the deletion of the object that
/// is observed, or that owns the collection.
///
/// Thread safety: any task may iterate; an iterator belongs to one.
public struct ChangeSequence<Element: Sendable>: AsyncSequence, Sendable {
  /// A sequence of changes does not fail.
  public typealias Failure = Never

  /// Makes the iterators' way to elements; nil when nothing can be observed.
  private let observe: @Sendable () -> NextElement?

  typealias NextElement = @Sendable () async -> Element?

  /// - Parameters:
  ///   - tracker: what is observed.
  ///   - view: the view through which it is observed.
  ///   - knowsState: whether the changes are those after the version that the view reads when an iterator is made;
  ///     else the state comes first.
  ///   - element: what is made of a delivery.
  init<Tracker: ChangeTracker>(
    _ tracker: Tracker, of view: View, knowsState: Bool,
    _ element: @escaping @Sendable (Delivery<Tracker>) -> Element
  ) {
    observe = {
      let known = knowsState ? view.snapshot : nil
      guard let observer = try? SequenceObserver(tracker, of: view.store, knowing: known) else {
        return nil
      }
      return { await observer.next().map(element) }
    }
  }

  private init() { observe = { nil } }

  /// A sequence that ends at once.
  static var empty: ChangeSequence { ChangeSequence() }

  /// Starts observing.
  public func makeAsyncIterator() -> Iterator { Iterator(observe()) }

  /// Asks for the elements.
  public struct Iterator: AsyncIteratorProtocol {
    private let nextElement: NextElement?

    init(_ nextElement: NextElement?) { self.nextElement = nextElement }

    /// The next element, as soon as there is one; nil at the end.
    public mutating func next() async -> Element? { await nextElement?() }

    /// As ``next()``.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await nextElement?()
    }
  }
}
