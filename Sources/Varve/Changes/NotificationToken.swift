package import VarveCore

/// Keeps an observer alive: whoever drops the token hears nothing more.
///
/// Thread safety: any thread may use it.
public final class NotificationToken: Sendable {
  package let observer: any ObserverHandle

  init(_ observer: any ObserverHandle) { self.observer = observer }

  deinit { observer.invalidate() }

  /// Ends the observer: no callback begins after this, and what is enqueued already is left out. One that runs
  /// just now, on another thread, comes to its end.
  ///
  /// May be called at any time and more than once, from a callback too.
  ///
  /// - Returns: false when the observer had ended before.
  @discardableResult
  public func invalidate() -> Bool { observer.invalidate() }
}
