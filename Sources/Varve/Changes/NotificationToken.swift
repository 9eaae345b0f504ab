package import VarveCore

/// A token that keeps an observer alive. The observer ends when the token is deallocated.
///
/// Thread safety: any thread may use a token.
public final class NotificationToken: Sendable {
  package let observer: any ObserverHandle

  init(_ observer: any ObserverHandle) { self.observer = observer }

  deinit { observer.invalidate() }

  /// Ends the observer. No callback starts after this call, and callbacks that are already enqueued
  /// are skipped. A callback that is running on another thread completes.
  ///
  /// May be called at any time and repeatedly, also from a callback.
  ///
  /// - Returns: `false` when the observer had already ended.
  @discardableResult
  public func invalidate() -> Bool { observer.invalidate() }
}
