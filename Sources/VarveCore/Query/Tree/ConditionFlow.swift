import VarveEncoding

/// A condition as a list of comparisons, each of which says where to go on when it holds and when it
/// does not.
///
/// So `&&` and `||` stop as soon as the outcome is known, `!` costs nothing, and neither making nor
/// walking the list needs stack for the depth of the condition.
///
/// Thread safety: an immutable value.
struct ConditionFlow {
  /// A place in ``steps``, or one of the two ends.
  typealias Place = Int
  static let accepted: Place = -1
  static let rejected: Place = -2

  struct Step {
    let comparison: Condition.Comparison
    let ifTrue: Place
    let ifFalse: Place
  }

  private(set) var steps: [Step] = []
  /// Where to begin.
  private(set) var start: Place = ConditionFlow.accepted

  /// What is left to do: nodes to write, each with the places behind it. A node's right part is
  /// written before its left one, which has to know where the right one begins: at `start`.
  private enum Task {
    /// Nil stands for `start` as it is then.
    case write(ConditionNode, ifTrue: Place?, ifFalse: Place?)
    /// The right part of `same` once more, with its outcome turned round, and then the left one.
    case writeTurned(left: ConditionNode, right: ConditionNode, ifTrue: Place, ifFalse: Place)
  }

  /// - Complexity: O(n); the smaller part of a `same` is written twice.
  init(_ condition: Condition) {
    var tasks = [
      Task.write(
        condition.root, ifTrue: ConditionFlow.accepted, ifFalse: ConditionFlow.rejected)
    ]
    while let task = tasks.popLast() {
      switch task {
      case .write(let node, let ifTrue, let ifFalse):
        write(node, ifTrue ?? start, ifFalse ?? start, &tasks)
      case .writeTurned(let left, let right, let ifTrue, let ifFalse):
        // The left part chooses between the two.
        tasks.append(.write(left, ifTrue: start, ifFalse: nil))
        tasks.append(.write(right, ifTrue: ifFalse, ifFalse: ifTrue))
      }
    }
  }

  private mutating func write(
    _ node: ConditionNode, _ ifTrue: Place, _ ifFalse: Place, _ tasks: inout [Task]
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
      tasks.append(.writeTurned(left: large, right: small, ifTrue: ifTrue, ifFalse: ifFalse))
      tasks.append(.write(small, ifTrue: ifTrue, ifFalse: ifFalse))
    case (.not, _, _), (.and, _, _), (.or, _, _), (.same, _, _):
      preconditionFailure("A condition lacks a part.")
    }
  }
}

extension Condition {
  /// The paths that the comparisons read, some more than once.
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
