import VarveCore

/// An asynchronous sequence of changes.
///
/// ```swift
/// for await change in dogs.changes { print(change.collection.count) }
/// ```
///
/// Each iterator is an independent observer. For a collection, the first element is the state at
/// the version that was the newest one when the iterator was made. For an object or a realm, the
/// first element is the first change after the version that was read when the iterator was made.
/// Each further element is computed on demand, as the difference from the version of the previous
/// element: nothing is queued, and all commits made in the meantime are reported exactly, in one
/// element. Commits that do not change the observed value produce no element.
///
/// The sequence ends when the task is canceled, when the store is closed, and after the deletion of
/// the observed object or of the object that owns the collection.
///
/// Thread safety: any task may iterate. An iterator belongs to one task.
public struct ChangeSequence<Element: Sendable>: AsyncSequence, Sendable {
  /// A sequence of changes never fails.
  public typealias Failure = Never

  /// Starts an observer and returns the function that produces the iterator's elements; nil when
  /// nothing can be observed.
  private let observe: @Sendable () -> NextElement?

  typealias NextElement = @Sendable () async -> Element?

  /// - Parameters:
  ///   - tracker: The tracker of the observed value.
  ///   - view: The view through which the value is observed.
  ///   - skipsInitialState: Whether the sequence starts with the first change after the version
  ///     that the view reads when an iterator is made. Otherwise it starts with the state.
  ///   - element: Converts a delivery to an element.
  init<Tracker: ChangeTracker>(
    _ tracker: Tracker, of view: View, skipsInitialState: Bool,
    _ element: @escaping @Sendable (Delivery<Tracker>) -> Element
  ) {
    observe = {
      let base = skipsInitialState ? view.snapshot : nil
      guard let observer = try? SequenceObserver(tracker, through: view, since: base) else {
        return nil
      }
      return { await observer.next().map(element) }
    }
  }

  private init() { observe = { nil } }

  /// A sequence without elements.
  static var empty: ChangeSequence { ChangeSequence() }

  /// Starts observing, and returns an iterator over the changes.
  public func makeAsyncIterator() -> Iterator { Iterator(observe()) }

  /// An iterator over the changes.
  public struct Iterator: AsyncIteratorProtocol {
    private let nextElement: NextElement?

    init(_ nextElement: NextElement?) { self.nextElement = nextElement }

    /// Waits for the next element and returns it; nil at the end of the sequence.
    public mutating func next() async -> Element? { await nextElement?() }

    /// Waits for the next element and returns it, on the caller's actor; nil at the end of the
    /// sequence. See ``next()``.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await nextElement?()
    }
  }
}
