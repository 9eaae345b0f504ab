import VarveCore

extension Results {
  /// Returns the substitute for an element out of bounds, and marks the running transaction as
  /// failed or logs the read.
  ///
  /// - Precondition: The results are not frozen, or the missing element is damaged.
  func missing(at index: Int, of count: @autoclosure () -> Int) -> Element {
    noteMissing(at: index, of: count())
    return Element._$missing(_ReadSource(context))
  }

  /// Marks the running transaction as failed because of a read out of bounds, or logs the read when
  /// there is no transaction.
  ///
  /// - Precondition: The results are not frozen, or the missing element is damaged.
  func noteMissing(at index: Int, of count: @autoclosure () -> Int) {
    if isFrozen {
      return Misuse.require(
        context.isDamaged(at: index, of: count()), "Index \(index) is out of bounds.")
    }
    guard let transaction = context.transaction else {
      return context.store.logOutOfBoundsRead(className: name)
    }
    transaction.markFailed(
      Failure(
        .indexOutOfBounds, "The index is out of bounds.", className: name,
        value: "index \(index), count \(count())"))
  }
}
