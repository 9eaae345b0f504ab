import VarveCore

extension Results {
  /// What stands for an element out of bounds; dooms the running write.
  ///
  /// - Precondition: the results are not frozen, or what is missing is damaged.
  func missing(at index: Int, of count: @autoclosure () -> Int) -> Element {
    noteMissing(at: index, of: count())
    return Element._$missing(_ReadSource(context))
  }

  /// Dooms the running write, or logs, that something out of bounds was read.
  ///
  /// - Precondition: the results are not frozen, or what is missing is damaged.
  func noteMissing(at index: Int, of count: @autoclosure () -> Int) {
    if isFrozen {
      return precondition(
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
