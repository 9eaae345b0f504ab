import VarveCore

extension ObjectBase {
  /// The object pinned to the version that it reads now; inside a write, to the version before it.
  ///
  /// A frozen object never changes and outlives the deletion of the object. What is reached from it is
  /// frozen too. One that does not exist in that version, such as one that the running write has
  /// created, is invalidated.
  ///
  /// - Parameters:
  ///   - file: where pins are told of, they are named by it; leave it out.
  ///   - line: the line in the file.
  /// - Returns: the frozen value.
  /// - Complexity: O(1); nothing is copied.
  /// - Precondition: the object is managed. An unmanaged one traps; inside a write, where a failed `create` gives
  ///   unmanaged objects, it dooms the write with `.unmanaged` and is given back as it is.
  public func freeze(
    file: StaticString = #fileID, line: UInt = #line
  ) -> Self {
    guard let context = handle.context else {
      UnmanagedUse.markFailed("Unmanaged objects cannot be frozen.", info.name)
      return self
    }
    return context.isFrozen ? self : handle(in: context.frozenContext(at: CallSite(file, line)))
  }

  /// The live object, in the realm that it was frozen from, or in a fresh one if that is gone.
  ///
  /// - Returns: nil when the object does not exist any more, or is unmanaged.
  public func thaw() -> Self? {
    guard let context = handle.context else { return nil }
    guard context.isFrozen else { return self }
    guard let live = try? context.thawedContext() else { return nil }
    let object = handle(in: live)
    return object.isInvalidated ? nil : object
  }

  /// Another handle to the same stored object.
  private func handle(in context: ReadContext) -> Self {
    Self.handle(handle.id, handle.binding, in: context)
  }

  /// A handle to a stored object.
  static func handle(_ id: UInt64, _ binding: ClassBinding, in context: ReadContext) -> Self {
    let object = Self()
    object.handle.attach(to: context, binding: binding, id: id)
    return object
  }
}
