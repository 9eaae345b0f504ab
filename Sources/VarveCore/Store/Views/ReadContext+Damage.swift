import VarveStorage

extension ReadContext {
  /// Whether damage was met in the store.
  package var isDamaged: Bool { store.environment.isDamaged }

  /// Whether an element of a frozen collection is missing because bytes of the file are damaged.
  ///
  /// A place below the count that no element answers is damage, and is noted.
  ///
  /// - Parameters:
  ///   - index: the place.
  ///   - count: the count of the collection.
  /// - Returns: whether damage was met, here or before.
  package func isDamaged(at index: Int, of count: @autoclosure () -> Int) -> Bool {
    if isDamaged { return true }
    if index >= 0, index < count() {
      store.markDamaged("a collection with fewer elements than its count")
    }
    return isDamaged
  }
}
