import VarveCore
import VarveEncoding

/// The building blocks of the queries of collections.
extension Results {
  /// Returns the elements that also satisfy another condition.
  func narrowed(by added: Condition) -> Results {
    Results(handle.query.narrowed(by: added), in: context)
  }

  /// Returns the index of the first element that satisfies a condition; nil when there is none.
  func index(satisfying condition: Condition) -> Int? {
    // Both reads are from one version.
    let pinned = context.transaction == nil ? freeze() : self
    let handle = pinned.handle
    if handle.query.isOfValues { return handle.index(satisfying: condition) }
    // Filters added to distinct results are applied before duplicates are removed.
    let query = (handle.query.distinct.isEmpty ? handle.query : handle.query.enclosed)
      .narrowed(by: condition)
    guard let id = ResultsHandle(context: handle.context, query: query).firstID else { return nil }
    return handle.objectIDs.firstIndex(of: id)
  }

  /// Returns the elements sorted by several properties.
  ///
  /// - Precondition: The properties exist, and each has an order.
  func ordered(by keys: [ElementQuery.SortKey]) -> Results {
    do throws(Failure) {
      return try sorted(by: keys)
    } catch {
      if let results = refused(error) { return results }
      Misuse.trap(
        error, sorting: name, by: error.propertyName ?? "")
    }
  }

  /// Returns empty results for a literal property name that is unknown to a class described only by
  /// the file, and marks the running transaction as failed or logs the error. Returns nil when the
  /// program declares the class.
  func refused(_ failure: Failure) -> Results? {
    guard case .object(let model) = handle.query.element, model.isDynamic else { return nil }
    return nothing(because: failure)
  }

  /// Returns empty results, and marks the running transaction as failed or logs the error.
  func nothing(because failure: Failure) -> Results {
    if let transaction = context.transaction {
      transaction.markFailed(failure)
    } else {
      context.store.logMisuse(failure)
    }
    return narrowed(by: .never)
  }

  /// Returns the elements sorted by one property given by name at run time.
  ///
  /// - Throws: `.unknownProperty`, `.invalidInput`.
  func sorted(byName name: String, ascending: Bool) throws(Failure) -> Results {
    try sorted(by: [SortDescriptor.key(name, ascending)])
  }

  /// Returns the elements sorted by several properties.
  ///
  /// - Throws: `.unknownProperty`, `.invalidInput`.
  func sorted(by keys: [ElementQuery.SortKey]) throws(Failure) -> Results {
    Results(try handle.query.sorted(by: keys), in: context)
  }

  /// Returns the first element for each combination of values of the given properties.
  ///
  /// - Throws: `.unknownProperty`, `.invalidInput`.
  func distinct(byNames names: [String]) throws(Failure) -> Results {
    Results(try handle.query.distinct(by: names.map(DottedPath.names)), in: context)
  }
}
