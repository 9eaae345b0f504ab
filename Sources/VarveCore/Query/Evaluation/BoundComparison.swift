import VarveEncoding
import VarveStorage

/// A comparison tied to what a file stores.
///
/// Thread safety: one thread at a time, as the reader.
final class BoundComparison: @unchecked Sendable {
  // Safe to send because one thread evaluates a filter that has comparisons.

  private let operation: Condition.Operation
  private let quantifier: Condition.Quantifier
  private let folding: TextFolding
  private let left: BoundExpression
  private let right: BoundExpression
  /// What `IN` looks among.
  private let constants: ConstantSet?
  private let region: (GeoRegion, GeoPointSource)?
  /// What is asked of texts, where the text beside them is a constant.
  private let textTest: TextTest?
  /// The words that `TEXT` asks for.
  private let words: FullTextQuery?
  private let reader: any TableReader

  /// - Parameters:
  ///   - comparison: what is asked.
  ///   - model: the class of the objects; nil for values.
  ///   - scope: what is read.
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
        throw Failure(.invalidInput, "Values lie in no region: points are objects.")
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

  /// Whether the comparison holds.
  ///
  /// - Throws: `.corrupted` when bytes on the way are damaged.
  func holds(_ subject: QuerySubject) throws(Failure) -> Bool {
    if let (region, place) = region {
      guard case .row(let row, let id) = subject else { return false }
      return try place.isWithin(region, row, id, reader)
    }
    if left.isMany {
      return try holdsForMany(left, subject) { (value) throws(Failure) in
        try holds(value, subject)
      }
    }
    let left = try left.value(subject, reader)
    guard right.isMany else { return try holds(left, subject) != (quantifier == .none) }
    return try holdsForMany(right, subject) { (value) throws(Failure) in
      left.satisfies(operation, value, folding)
    }
  }

  /// As the quantifier says, of the values of one side.
  private func holdsForMany(
    _ side: BoundExpression, _ subject: QuerySubject,
    _ test: (Value) throws(Failure) -> Bool
  ) throws(Failure) -> Bool {
    let isSought = quantifier != .all
    let wasFound = try !side.forEach(subject, reader) { (value) throws(Failure) in
      try test(value) != isSought
    }
    return quantifier == .any ? wasFound : !wasFound
  }

  /// Whether one value on the left satisfies the comparison.
  private func holds(_ left: Value, _ subject: QuerySubject) throws(Failure) -> Bool {
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
      var holds = false
      try right.forEach(subject, reader) { value in
        holds = left.satisfies(operation, value, folding)
        return !holds
      }
      return holds
    }
  }
}

extension TextTest {
  /// The test that an operation makes of a constant; nil where comparing the bytes does.
  ///
  /// - Throws: `.invalidInput` for a pattern that is none.
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
