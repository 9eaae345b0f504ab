import VarveCore

extension CollectionHandle {
  /// Logs a read out of bounds of a managed collection.
  ///
  /// - Precondition: The collection is not frozen, or the missing element is damaged.
  func noteMissing(at index: Int) {
    guard let context else { return }
    if context.isFrozen {
      return Misuse.require(
        context.isDamaged(at: index, of: count), "Index \(index) is out of bounds.")
    }
    context.store.logOutOfBoundsRead(className: className)
  }
}
