import VarveEncoding
import VarveStorage

/// A comparison bound to the schema of a file.
///
/// Thread safety: not thread-safe, like its reader.
final class BoundComparison: @unchecked Sendable {
  // Safe to send because a filter with comparisons is evaluated by one thread.

  private let operation: Condition.Operation
  private let quantifier: Condition.Quantifier
  private let folding: TextFolding
  private let left: BoundExpression
  private let right: BoundExpression
  /// The values of an `IN` comparison.
  private let constants: ConstantSet?
  private let region: (GeoRegion, GeoPointSource)?
  /// The compiled text comparison, if the right side is a constant string.
  private let textTest: TextTest?
  /// The words of a `TEXT` comparison.
  private let words: FullTextQuery?
  private let reader: any TableReader

  /// - Parameter model: The class of the objects, or nil for values.
  /// - Throws: `.unknownProperty` or `.invalidInput`.
  init(
    _ comparison: Condition.Comparison, _ model: ClassDescription?, _ scope: ReadScope
  ) throws(Failure) {
    reader = scope.reader
    operation = comparison.operation
    quantifier = comparison.quantifier
    folding = comparison.folding
    left = try BoundExpression(comparison.left, model, scope)
    if case .region(let region) = comparison.right {
      guard let model, case .path(let path) = comparison.left else {
        throw Failure(.invalidInput, "GEOWITHIN compares objects, not values.")
      }
      self.region = (region, try GeoPointSource(path, of: model, scope))
      right = .value(.null)
    } else {
      region = nil
      right = try BoundExpression(comparison.right, model, scope)
    }
    if case .values(let values) = right, operation == .in {
      let folding = folding
      constants = ConstantSet(folding.isEmpty ? values : values.map { $0.folded(folding) })
    } else {
      constants = nil
    }
    if case .value(.string(let text)) = right {
      words = operation == .text ? FullTextQuery(text) : nil
      textTest = try TextTest(operation, text, folding)
    } else {
      (textTest, words) = (nil, nil)
    }
  }

  /// Whether the comparison is true.
  ///
  /// - Throws: `.corrupted` if stored bytes are damaged.
  func matches(_ subject: QuerySubject) throws(Failure) -> Bool {
    if let (region, source) = region {
      guard case .row(let row, let id) = subject else { return false }
      return try source.isWithin(region, row, id, reader)
    }
    if left.isMany {
      return try matchesMany(left, subject) { (value) throws(Failure) in
        try matches(value, subject)
      }
    }
    let left = try left.value(subject, reader)
    guard right.isMany else { return try matches(left, subject) != (quantifier == .none) }
    return try matchesMany(right, subject) { (value) throws(Failure) in
      left.satisfies(operation, value, folding)
    }
  }

  /// Applies the quantifier to the values of one side.
  private func matchesMany(
    _ side: BoundExpression, _ subject: QuerySubject,
    _ test: (Value) throws(Failure) -> Bool
  ) throws(Failure) -> Bool {
    let isSought = quantifier != .all
    let wasFound = try !side.forEach(subject, reader) { (value) throws(Failure) in
      try test(value) != isSought
    }
    return quantifier == .any ? wasFound : !wasFound
  }

  /// Whether one value of the left side satisfies the comparison.
  private func matches(_ left: Value, _ subject: QuerySubject) throws(Failure) -> Bool {
    if let constants {
      return constants.contains(folding.isEmpty ? left : left.folded(folding))
    }
    if case .string(let text) = left {
      if let textTest { return textTest.matches(text) }
      if let words { return FullText.matches(text, words) }
    }
    switch right {
    case .value(let right): return left.satisfies(operation, right, folding)
    case .values(let bounds):
      guard operation == .between, bounds.count == 2 else { return false }
      return left.satisfies(.greaterOrEqual, bounds[0], [])
        && left.satisfies(.lessOrEqual, bounds[1], [])
    default:
      var matches = false
      try right.forEach(subject, reader) { value in
        matches = left.satisfies(operation, value, folding)
        return !matches
      }
      return matches
    }
  }
}

extension TextTest {
  /// Compiles the text comparison of an operation with a constant. Nil if comparing the bytes is
  /// sufficient.
  ///
  /// - Throws: `.invalidInput` for an invalid pattern.
  fileprivate init?(
    _ operation: Condition.Operation, _ text: String, _ folding: TextFolding
  ) throws(Failure) {
    guard Self.operations.contains(operation),
      !folding.isEmpty || operation == .like || operation == .matches
    else { return nil }
    do throws(TextTest.Fault) {
      try self.init(operation, text, folding: folding)
    } catch {
      throw Failure(
        .invalidInput, "\(error.message) (character \(error.position + 1) of the pattern)",
        value: text)
    }
  }
}
