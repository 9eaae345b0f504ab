import VarveCore

extension CollectionHandle {
  /// Notes that an element of a managed collection was read that is not there.
  ///
  /// - Precondition: the collection is not frozen, or what is missing is damaged.
  func noteMissing(at index: Int) {
    guard let context else { return }
    if context.isFrozen {
      return precondition(
        context.isDamaged(at: index, of: count), "Index \(index) is out of bounds.")
    }
    context.store.logOutOfBoundsRead(className: className)
  }
}
