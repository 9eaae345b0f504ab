import VarveCore

extension CollectionHandle {
  /// What a walk goes over that is not one of a version: a copy, because the collection may change during the walk.
  ///
  /// - Parameters:
  ///   - unmanaged: the content of the collection, if it is unmanaged.
  ///   - contentCopy: the elements of that.
  ///   - storedCopy: the elements that the transaction of this thread reads.
  /// - Returns: the elements of an unmanaged collection, or of one read inside a write; nil for those that a snapshot
  ///   holds.
  @inline(__always)
  func copied<Content, Element: Sendable>(
    _ unmanaged: UnmanagedContent<Content>?, _ contentCopy: (inout Content) -> [Element],
    inWrite storedCopy: () -> [Element]
  ) -> [Element]? {
    if let elements = unmanaged?.read(self, contentCopy) { return elements }
    return context?.transaction == nil ? nil : storedCopy()
  }
}
