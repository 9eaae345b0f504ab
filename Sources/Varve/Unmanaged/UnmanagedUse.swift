import VarveCore

/// Errors for operations that unmanaged objects and collections do not support.
///
/// Such an operation is a programming error and traps. Inside a write, where `create` may have
/// returned an unmanaged object because of its input, it marks the transaction as failed instead.
enum UnmanagedUse {
  /// Marks the write transactions of the thread as failed with `.unmanaged`.
  ///
  /// - Parameters:
  ///   - sentence: The error message.
  ///   - className: The class concerned.
  /// - Returns: One of the transactions.
  /// - Precondition: The thread is inside a write.
  @discardableResult
  static func markFailed(_ sentence: String, _ className: String) -> Transaction {
    let failure = Failure(.unmanaged, sentence, className: className)
    guard let transaction = Store.failWritesOfThread(failure) else {
      Misuse.trap("\(sentence) [\(className)]")
    }
    return transaction
  }

  /// Whether the thread is inside a write, which is marked as failed because an index of an
  /// unmanaged collection is out of bounds.
  static func isRefused<E: RealmCollectionValue>(
    index: Int, count: Int, of element: E.Type
  ) -> Bool {
    Store.failWritesOfThread(
      Failure(
        .indexOutOfBounds, "The index is out of bounds.", className: className(of: element),
        value: "index \(index), count \(count)")) != nil
  }

  /// Returns the class of the elements, or their type.
  private static func className<E: RealmCollectionValue>(of element: E.Type) -> String {
    (element as? ObjectBase.Type).map { ClassInfo.of($0).name } ?? "\(element)"
  }

  /// Returns empty results for a query of an unmanaged collection, in the view of the write.
  ///
  /// - Precondition: The thread is inside a write.
  static func emptyResults<E: RealmCollectionValue>(_ sentence: String) -> Results<E> {
    let transaction = markFailed(sentence, className(of: E.self))
    return Results(elementsOf: nil, in: ReadContext(view: transaction.writingView()))
  }
}
