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
  static func doom(_ sentence: String, _ className: String) -> Transaction {
    let failure = Failure(.unmanaged, sentence, className: className)
    guard let transaction = Store.doomWritesOfThread(failure) else {
      QueryMisuse.trap("\(sentence) [\(className)]")
    }
    return transaction
  }

  /// Empty results for a query of an unmanaged collection, in the writing view.
  ///
  /// - Precondition: the thread is inside a write.
  static func emptyResults<E: RealmCollectionValue>(_ sentence: String) -> Results<E> {
    let className = (E.self as? ObjectBase.Type).map { ClassInfo.of($0).name } ?? "\(E.self)"
    let transaction = doom(sentence, className)
    return Results(elementsOf: .nothing, in: ReadContext(view: transaction.writingView()))
  }
}
