import VarveEncoding

/// A constant that a mixed value is compared with, which may be a list or a dictionary.
package indirect enum ConstantContents: Equatable, Sendable {
  /// An entry of a dictionary.
  package struct Entry: Equatable, Sendable {
    package let key: String
    package let value: ConstantContents

    package init(key: String, value: ConstantContents) {
      self.key = key
      self.value = value
    }
  }

  case constant(Condition.Constant)
  case list([ConstantContents])
  case dictionary([Entry])
}

extension Condition {
  /// Compares mixed values with a list or a dictionary. They are equal if they have equal elements
  /// at the same positions or under the same keys.
  ///
  /// - Parameters:
  ///   - isEqual: Whether the comparison is for equality. If false, it is for inequality.
  ///   - quantifier: The quantifier of a path with many values.
  package static func comparison(
    of path: QueryPath, with contents: ConstantContents, isEqual: Bool,
    quantifier: Quantifier = .any
  ) -> Condition {
    var condition = equal(contents, at: path.isMany ? .itself : path)
    if !isEqual { condition = .not(condition) }
    guard path.isMany else { return condition }
    let counted = quantifier == .all ? Condition.not(condition) : condition
    return .comparison(
      Comparison(
        .matchCount(path, counted), quantifier == .any ? .greater : .equal,
        .constant(.value(.int(0)))))
  }

  /// - Complexity: O(values of the contents). Contents nested more deeply than the longest path
  ///   equal no value.
  private static func equal(_ contents: ConstantContents, at path: QueryPath) -> Condition {
    guard path.steps.count < QueryPath.maximumCount else { return .never }
    var condition: Condition
    switch contents {
    case .constant(let constant):
      return .comparison(Comparison(.path(path), .equal, .constant(constant)))
    case .list(let elements):
      condition = isCollection("list", of: elements.count, at: path)
      for (index, element) in elements.enumerated() {
        condition = .and(condition, equal(element, at: path.appending(.element(.index(index)))))
      }
    case .dictionary(let entries):
      condition = isCollection("dictionary", of: entries.count, at: path)
      for entry in entries {
        condition = .and(condition, equal(entry.value, at: path.appending(.key(entry.key))))
        guard case .constant(.value(.null)) = entry.value else { continue }
        // A missing key also reads as null, so require that the key exists.
        condition = .and(
          condition,
          .comparison(
            Comparison(
              .path(path.appending(.keys)), .equal, .constant(.value(.string(entry.key))))))
      }
    }
    return condition
  }

  private static func isCollection(_ type: String, of count: Int, at path: QueryPath) -> Condition {
    .and(
      .comparison(
        Comparison(
          .path(path.appending(.type)), .equal, .constant(.value(.string(type))))),
      .comparison(
        Comparison(
          .aggregate(QueryAggregate(.count, path.appending(.elements))), .equal,
          .constant(.value(.int(Int64(count)))))))
  }
}
