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
  static func emptyResults<O: Object>(_ sentence: String) -> Results<O> {
    let model = ClassInfo.of(O.self).description
    let transaction = doom(sentence, model.name)
    return Results(
      ResultsCell(
        context: ReadContext(view: transaction.writingView()),
        query: ObjectQuery(model: model, condition: .never)))
  }
}
