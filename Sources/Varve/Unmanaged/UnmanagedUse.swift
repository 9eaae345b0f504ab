import VarveCore

/// What unmanaged objects and collections are asked for and cannot give.
///
/// That is wrong in every run and traps; but inside a write, where `create` may have given an unmanaged
/// object because of its input, it dooms the write.
enum UnmanagedUse {
  /// Dooms the writes of the thread with `.unmanaged`.
  ///
  /// - Parameters:
  ///   - sentence: what cannot be done.
  ///   - className: the class concerned.
  /// - Returns: one of the transactions.
  /// - Precondition: the thread is inside a write.
  @discardableResult
  static func markFailed(_ sentence: String, _ className: String) -> Transaction {
    let failure = Failure(.unmanaged, sentence, className: className)
    guard let transaction = Store.failWritesOfThread(failure) else {
      QueryMisuse.trap("\(sentence) [\(className)]")
    }
    return transaction
  }

  /// Whether a place that an unmanaged collection does not have is asked for inside a write, which is doomed then.
  static func isRefused<E: RealmCollectionValue>(
    place: Int, count: Int, of element: E.Type
  ) -> Bool {
    Store.failWritesOfThread(
      Failure(
        .indexOutOfBounds, "The index is out of bounds.", className: className(of: element),
        value: "index \(place), count \(count)")) != nil
  }

  /// The class of the elements, or their type.
  private static func className<E: RealmCollectionValue>(of element: E.Type) -> String {
    (element as? ObjectBase.Type).map { ClassInfo.of($0).name } ?? "\(element)"
  }

  /// Empty results for a query of an unmanaged collection, in the writing view.
  ///
  /// - Precondition: the thread is inside a write.
  static func emptyResults<E: RealmCollectionValue>(_ sentence: String) -> Results<E> {
    let transaction = markFailed(sentence, className(of: E.self))
    return Results(elementsOf: nil, in: ReadContext(view: transaction.writingView()))
  }
}
