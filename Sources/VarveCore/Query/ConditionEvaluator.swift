import VarveEncoding
import VarveStorage

/// A condition tied to what a file stores, ready to be asked about rows.
///
/// Thread safety: none; each evaluation makes its own.
final class ConditionEvaluator {
  private let reader: any TableReader
  private let steps: [Step]
  private let start: ConditionFlow.Place
  /// What `steps` refer to without counting references: safe because these live as long as they do.
  private let leaves: [Leaf]

  private struct Step {
    let leaf: Unmanaged<Leaf>
    let ifTrue: ConditionFlow.Place
    let ifFalse: ConditionFlow.Place
  }

  private enum Operand {
    case value(Value)
    case values([Value])
    case path(PropertyPath)
    case region(GeoRegion, GeoPlace)
  }

  /// A comparison with its properties found.
  private final class Leaf {
    let path: PropertyPath
    let operation: Condition.Operation
    let isCaseInsensitive: Bool
    let operand: Operand
    /// The property's id, if it is one of the object itself.
    let singleID: UInt32?
    /// Where that lies in rows of `layoutID`. Safe unchecked because nothing else runs in between.
    @exclusivity(unchecked) var layoutID: UInt16?
    @exclusivity(unchecked) var field: RowField?

    init(_ comparison: Condition.Comparison, _ path: PropertyPath, _ operand: Operand) {
      self.path = path
      operation = comparison.operation
      isCaseInsensitive = comparison.isCaseInsensitive
      self.operand = operand
      singleID = path.singleID
    }
  }

  /// - Parameters:
  ///   - condition: the condition.
  ///   - model: the class of the objects.
  ///   - reader: a version, or the running transaction of this thread.
  ///   - store: the store of both.
  /// - Throws: `.unknownProperty` or `.invalidInput` for a path that the class does not have.
  /// - Complexity: O(size of the condition).
  init(
    _ condition: Condition, on model: ClassDescription, reader: any TableReader, store: Store
  ) throws(Failure) {
    self.reader = reader
    let flow = ConditionFlow(condition)
    var leaves: [Leaf] = []
    leaves.reserveCapacity(flow.steps.count)
    for step in flow.steps {
      leaves.append(try ConditionEvaluator.leaf(step.comparison, model, reader, store))
    }
    steps = zip(leaves, flow.steps).map { leaf, step in
      Step(leaf: .passUnretained(leaf), ifTrue: step.ifTrue, ifFalse: step.ifFalse)
    }
    self.leaves = leaves
    start = flow.start
  }

  private static func leaf(
    _ comparison: Condition.Comparison, _ model: ClassDescription, _ reader: any TableReader,
    _ store: Store
  ) throws(Failure) -> Leaf {
    let path = try PropertyPath(comparison.path, of: model, reader, store)
    let operand: Operand =
      switch comparison.operand {
      case .constant(let constant): .value(constant.value(in: store))
      case .constants(let constants): .values(constants.map { $0.value(in: store) })
      case .path(let names): .path(try PropertyPath(names, of: model, reader, store))
      case .region(let region):
        .region(region, try GeoPlace(comparison.path, of: model, reader, store))
      }
    return Leaf(comparison, path, operand)
  }

  /// Whether the row of an object satisfies the condition.
  ///
  /// - Throws: `.corrupted` when bytes on the way are damaged.
  func matches(_ row: RowReader, id: UInt64) throws(Failure) -> Bool {
    var place = start
    while place >= 0 {
      let step = steps[place]
      let holds: Bool
      if let quick = step.leaf._withUnsafeGuaranteedRef({ fixedHolds($0, row) }) {
        holds = quick
      } else {
        holds = try anyHolds(step.leaf.takeUnretainedValue(), row, id)
      }
      place = holds ? step.ifTrue : step.ifFalse
    }
    return place == ConditionFlow.accepted
  }

  /// Values of any type, over links too.
  @inline(never)
  private func anyHolds(_ leaf: Leaf, _ row: RowReader, _ id: UInt64) throws(Failure) -> Bool {
    func left() throws(Failure) -> Value { try leaf.path.value(of: row, id, reader) }
    switch leaf.operand {
    case .value(let right):
      return try left().satisfies(leaf.operation, right, leaf.isCaseInsensitive)
    case .region(let region, let place): return try place.isWithin(region, row, id, reader)
    case .values(let values):
      let left = try left()
      return values.contains { left.satisfies(.in, $0, leaf.isCaseInsensitive) }
    case .path(let other):
      let right = try other.value(of: row, id, reader)
      return try left().satisfies(leaf.operation, right, leaf.isCaseInsensitive)
    }
  }

  /// Integers and doubles that stand in the row, without making a value of them.
  @inline(__always)
  private func fixedHolds(_ leaf: Leaf, _ row: RowReader) -> Bool? {
    guard let singleID = leaf.singleID, case .value(let constant) = leaf.operand else {
      return nil
    }
    if leaf.layoutID != row.layout.id {
      leaf.layoutID = row.layout.id
      leaf.field = row.layout.field(forProperty: singleID)
    }
    guard let field = leaf.field, field.isStored, !row.isNull(field) else { return nil }
    switch (field.kind.type, constant) {
    case (.int8, .int(let right)), (.int16, .int(let right)), (.int32, .int(let right)),
      (.int64, .int(let right)):
      return ValueOrdering(row.int64(field), right).satisfies(leaf.operation)
    case (.double, .double(let right)):
      return ValueOrdering(row.double(field), right).satisfies(leaf.operation)
    default: return nil
    }
  }
}

extension Condition.Constant {
  /// The value to compare with in `store`.
  func value(in store: Store) -> Value {
    switch self {
    case .value(let value): value
    case .object(let object): object.value(in: store)
    }
  }
}
