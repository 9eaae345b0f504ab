import VarveStorage

extension ReadContext {
  /// Whether damage was detected in the store.
  package var isDamaged: Bool { store.environment.isDamaged }

  /// Returns whether an element of a frozen collection is missing because bytes of the file are
  /// damaged.
  ///
  /// A missing element at an index below the count is damage, and is recorded.
  ///
  /// - Parameters:
  ///   - index: The index of the element.
  ///   - count: The count of the collection.
  /// - Returns: Whether damage was detected, now or earlier.
  package func isDamaged(at index: Int, of count: @autoclosure () -> Int) -> Bool {
    if isDamaged { return true }
    if index >= 0, index < count() {
      store.markDamaged("a collection with fewer elements than its count")
    }
    return isDamaged
  }
}
