package import VarveEncoding
import VarveStorage

extension ElementQuery.Distinct {
  /// Keeps the first object of each combination of values.
  ///
  /// Values are compared as `Value` is: numbers of one type, strings by their bytes; nulls are
  /// equal. An object is omitted if a link on one of the paths is null.
  ///
  /// - Throws: `.unknownProperty`, `.invalidInput`, `.corrupted`.
  /// - Complexity: O(n) for n objects, plus the sort if there are sort keys.
  func apply(
    to ids: inout [UInt64], of model: ClassDescription, _ scope: ReadScope
  ) throws(Failure) {
    if !sortKeys.isEmpty { ids = try SortOrder(sortKeys, of: model, scope).sorted(ids) }
    var properties: [PropertyPath] = []
    for path in paths {
      try model.checkDistinct(by: path)
      properties.append(try PropertyPath(path, of: model, scope))
    }
    var seen: Set<[Value]> = []
    var kept: [UInt64] = []
    for id in ids {
      var values: [Value] = []
      for property in properties {
        guard let value = try property.reachedValue(ofObject: id, scope.reader) else { break }
        values.append(value)
      }
      if values.count == properties.count, seen.insert(values).inserted { kept.append(id) }
    }
    ids = kept
  }
}

extension ClassDescription {
  /// Checks that duplicates can be removed by a property.
  ///
  /// - Throws: `.unknownProperty`, or `.invalidInput` for a collection or linking objects.
  package func checkDistinct(by path: [String]) throws(Failure) {
    let property = try property(along: path)
    guard property.isStored, property.kind.collection == .none else {
      throw Failure(
        .invalidInput, "Objects cannot be made distinct by a collection.", className: name,
        propertyName: path.joined(separator: "."))
    }
  }

  /// Checks that an aggregate function can be applied to a property.
  ///
  /// - Parameter type: The required type of the property, or nil for any number.
  /// - Throws: `.unknownProperty`, or `.invalidInput` for a property of another type.
  package func checkAggregate(over path: [String], as type: PropertyType?) throws(Failure) {
    let property = try property(along: path)
    let kind = property.kind
    let isSupported =
      kind.collection == .none && property.isStored
      && (type.map { $0 == kind.type }
        ?? (kind.type.isInteger || [.float, .double, .decimal128, .mixed].contains(kind.type)))
    guard isSupported else {
      throw Failure(
        .invalidInput,
        "The property cannot be aggregated as \(type.map { "\($0)" } ?? "a number").",
        className: name, propertyName: path.joined(separator: "."),
        value: kind.typeName(target: property.targetClassName))
    }
  }
}
