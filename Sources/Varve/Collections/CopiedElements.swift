import VarveCore

extension CollectionHandle {
  /// Returns the elements to iterate when they are not those of a snapshot: a copy, because the
  /// collection may change during the walk.
  ///
  /// - Parameters:
  ///   - unmanaged: The contents of the collection, if it is unmanaged.
  ///   - contentCopy: Returns the elements of the contents.
  ///   - storedCopy: Returns the elements that the transaction of this thread reads.
  /// - Returns: The elements of an unmanaged collection, or of one that is read inside a write;
  ///   nil for a collection that is read from a snapshot.
  @inline(__always)
  func copied<Content, Element: Sendable>(
    _ unmanaged: UnmanagedContent<Content>?, _ contentCopy: (inout Content) -> [Element],
    inWrite storedCopy: () -> [Element]
  ) -> [Element]? {
    if let elements = unmanaged?.read(self, contentCopy) { return elements }
    return context?.transaction == nil ? nil : storedCopy()
  }
}
