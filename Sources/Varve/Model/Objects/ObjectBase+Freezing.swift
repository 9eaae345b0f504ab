import VarveCore

extension ObjectBase {
  /// Returns a frozen object, pinned to the current version or, inside a write, to the version
  /// before it.
  ///
  /// A frozen object never changes, and remains readable after the object is deleted. The objects
  /// and collections read from it are frozen too. A frozen object that does not exist in its
  /// version, such as one created by the running write, is invalidated.
  ///
  /// - Parameters:
  ///   - file: The caller's file, recorded for storage reports. Don't pass this argument.
  ///   - line: The caller's line.
  /// - Complexity: O(1). Nothing is copied.
  /// - Precondition: The object is managed. Freezing an unmanaged object traps. Inside a write,
  ///   where a failed `create` returns unmanaged objects, it instead marks the transaction as
  ///   failed with `.unmanaged` and returns the object itself.
  public func freeze(
    file: StaticString = #fileID, line: UInt = #line
  ) -> Self {
    guard let context = handle.context else {
      UnmanagedUse.markFailed("Unmanaged objects cannot be frozen.", info.name)
      return self
    }
    return context.isFrozen ? self : handle(in: context.frozenContext(at: CallSite(file, line)))
  }

  /// Returns the live object, in the realm that it was frozen from or, if that realm no longer
  /// exists, in a new one.
  ///
  /// - Returns: The live object, or nil when the object no longer exists or is unmanaged.
  public func thaw() -> Self? {
    guard let context = handle.context else { return nil }
    guard context.isFrozen else { return self }
    guard let live = try? context.thawedContext() else { return nil }
    let object = handle(in: live)
    return object.isInvalidated ? nil : object
  }

  /// Returns another handle to the same stored object.
  private func handle(in context: ReadContext) -> Self {
    Self.handle(handle.id, handle.binding, in: context)
  }

  /// Returns a handle to a stored object.
  static func handle(_ id: UInt64, _ binding: ClassBinding, in context: ReadContext) -> Self {
    let object = Self()
    object.handle.attach(to: context, binding: binding, id: id)
    return object
  }
}
