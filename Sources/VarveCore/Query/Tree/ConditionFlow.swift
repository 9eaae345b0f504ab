import VarveEncoding

/// A condition as a list of comparisons, each with a successor for true and a successor for false.
///
/// Evaluation of `&&` and `||` stops as soon as the outcome is known, and `!` costs nothing.
/// Neither compilation nor evaluation needs stack space in proportion to the depth of the
/// condition.
struct ConditionFlow {
  /// An index in ``steps``, or one of the two exits.
  typealias Target = Int
  static let accepted: Target = -1
  static let rejected: Target = -2

  struct Step {
    let comparison: Condition.Comparison
    let ifTrue: Target
    let ifFalse: Target
  }

  private(set) var steps: [Step] = []
  /// The first step.
  private(set) var start: Target = ConditionFlow.accepted

  /// A pending compilation task: a node with its successors. The right operand of a node is
  /// compiled before the left one, whose successor is the first step of the right operand, which is
  /// in `start`.
  private enum Task {
    /// A nil successor stands for the value of `start` when the task is executed.
    case write(ConditionNode, ifTrue: Target?, ifFalse: Target?)
    /// Compiles the right operand of `same` again with its outcome inverted, and then the left
    /// operand.
    case writeInverted(left: ConditionNode, right: ConditionNode, ifTrue: Target, ifFalse: Target)
  }

  /// - Complexity: O(n), but the smaller operand of each `same` is compiled twice.
  init(_ condition: Condition) {
    var tasks = [
      Task.write(
        condition.root, ifTrue: ConditionFlow.accepted, ifFalse: ConditionFlow.rejected)
    ]
    while let task = tasks.popLast() {
      switch task {
      case .write(let node, let ifTrue, let ifFalse):
        write(node, ifTrue ?? start, ifFalse ?? start, &tasks)
      case .writeInverted(let left, let right, let ifTrue, let ifFalse):
        // The left operand selects one of the two copies of the right operand.
        tasks.append(.write(left, ifTrue: start, ifFalse: nil))
        tasks.append(.write(right, ifTrue: ifFalse, ifFalse: ifTrue))
      }
    }
  }

  private mutating func write(
    _ node: ConditionNode, _ ifTrue: Target, _ ifFalse: Target, _ tasks: inout [Task]
  ) {
    switch (node.kind, node.left, node.right) {
    case (.constant(let value), _, _):
      start = value ? ifTrue : ifFalse
    case (.comparison(let comparison), _, _):
      start = steps.count
      steps.append(Step(comparison: comparison, ifTrue: ifTrue, ifFalse: ifFalse))
    case (.not, let inner?, _):
      tasks.append(.write(inner, ifTrue: ifFalse, ifFalse: ifTrue))
    case (.and, let left?, let right?):
      tasks.append(.write(left, ifTrue: nil, ifFalse: ifFalse))
      tasks.append(.write(right, ifTrue: ifTrue, ifFalse: ifFalse))
    case (.or, let left?, let right?):
      tasks.append(.write(left, ifTrue: ifTrue, ifFalse: nil))
      tasks.append(.write(right, ifTrue: ifTrue, ifFalse: ifFalse))
    case (.same, let left?, let right?):
      let (large, small) = left.leafCount < right.leafCount ? (right, left) : (left, right)
      tasks.append(.writeInverted(left: large, right: small, ifTrue: ifTrue, ifFalse: ifFalse))
      tasks.append(.write(small, ifTrue: ifTrue, ifFalse: ifFalse))
    case (.not, _, _), (.and, _, _), (.or, _, _), (.same, _, _):
      preconditionFailure("A condition lacks a part.")
    }
  }
}

extension Condition {
  /// The paths that the comparisons read, possibly with duplicates.
  ///
  /// - Complexity: O(n).
  var paths: [QueryPath] {
    var paths: [QueryPath] = []
    for step in ConditionFlow(self).steps {
      let comparison = step.comparison
      comparison.left.add(to: &paths)
      if case .region = comparison.right, case .path(let path) = comparison.left {
        paths += Condition.pointPaths(path)
      } else {
        comparison.right.add(to: &paths)
      }
    }
    return paths
  }
}

extension QueryExpression {
  fileprivate func add(to paths: inout [QueryPath]) {
    switch self {
    case .constant, .constants, .region: break
    case .path(let path): paths.append(path)
    case .aggregate(let aggregate): paths.append(aggregate.path)
    case .matchCount(let path, let condition):
      paths.append(path)
      paths += condition.paths.map { path.appending($0) }
    case .arithmetic(_, let left, let right):
      left.add(to: &paths)
      right.add(to: &paths)
    }
  }
}
