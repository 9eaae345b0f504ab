import VarveCore
import VarveEncoding

/// What queries of collections are made of.
extension Results {
  /// The elements that satisfy a condition as well.
  func narrowed(by added: Condition) -> Results {
    var query = handle.query.narrowable
    query.narrow(by: added)
    return Results(query, in: context)
  }

  /// The place of the first element that satisfies a condition; nil when there is none.
  func index(satisfying condition: Condition) -> Int? {
    // Both in one version.
    let pinned = context.transaction == nil ? freeze() : self
    let handle = pinned.handle
    if handle.query.isOfValues { return handle.index(satisfying: condition) }
    // Of distinct results, conditions added later are asked before.
    var query = handle.query.distinct.isEmpty ? handle.query.narrowable : handle.query.enclosed
    query.narrow(by: condition)
    guard let id = ResultsHandle(context: handle.context, query: query).firstID else { return nil }
    return handle.objectIDs.firstIndex(of: id)
  }

  /// The elements in the order of some properties.
  ///
  /// - Precondition: there are such properties, and each has an order.
  func ordered(by keys: [ElementQuery.SortKey]) -> Results {
    do throws(Failure) {
      return try sorted(by: keys)
    } catch {
      if let results = refused(error) { return results }
      QueryMisuse.trap(
        error, sorting: name, by: error.propertyName ?? "")
    }
  }

  /// What a name in the program's text stands for that the class does not have, where only the file knows the class:
  /// nothing, and an error that dooms the running write, or is logged. Nil where the program declares the class.
  func refused(_ failure: Failure) -> Results? {
    guard case .object(let model) = handle.query.element, model.isDynamic else { return nil }
    return nothing(because: failure)
  }

  /// No results, and an error that dooms the running write, or is logged.
  func nothing(because failure: Failure) -> Results {
    if let transaction = context.transaction {
      transaction.markFailed(failure)
    } else {
      context.store.logMisuse(failure)
    }
    return narrowed(by: .never)
  }

  /// As ``ordered(by:)``, by one property whose name is known only when the program runs.
  ///
  /// - Throws: `.unknownProperty`, `.invalidInput`.
  func sorted(byName name: String, ascending: Bool) throws(Failure) -> Results {
    try sorted(by: [SortDescriptor.key(name, ascending)])
  }

  /// As ``ordered(by:)``.
  ///
  /// - Throws: `.unknownProperty`, `.invalidInput`.
  func sorted(by keys: [ElementQuery.SortKey]) throws(Failure) -> Results {
    var query = handle.query.narrowable
    switch query.element {
    case .object(let model):
      for key in keys { try key.check(on: model) }
      query.sortKeys = keys + query.sortKeys
    case .value:
      for key in keys { try checkIsSelf(key.path) }
      query.sortKeys = keys.first.map { [$0] } ?? query.sortKeys
    }
    return Results(query, in: context)
  }

  /// The first element of each combination of some properties' values.
  ///
  /// - Throws: `.unknownProperty`, `.invalidInput`.
  func distinct(byNames names: [String]) throws(Failure) -> Results {
    let paths = names.map(DottedPath.names)
    if paths.isEmpty { return self }
    var query = handle.query.narrowable
    switch query.element {
    case .object(let model):
      for path in paths { try model.checkDistinct(by: path) }
      query.distinct.append(ElementQuery.Distinct(paths: paths, sortKeys: query.sortKeys))
    case .value:
      for path in paths { try checkIsSelf(path) }
      query.distinct = [ElementQuery.Distinct(paths: [["self"]], sortKeys: [])]
    }
    return Results(query, in: context)
  }

  private func checkIsSelf(_ path: [String]) throws(Failure) {
    guard path == ["self"] else {
      throw Failure(
        .invalidInput, "Values are sorted and told apart by \"self\", and have no properties.",
        className: name, propertyName: path.joined(separator: "."))
    }
  }
}
