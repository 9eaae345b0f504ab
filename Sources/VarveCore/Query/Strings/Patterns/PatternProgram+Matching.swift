extension PatternProgram {
  /// Whether the pattern matches the whole text.
  ///
  /// - Complexity: O(text × program). Usually much less, because only the active states cost time.
  func matches(_ text: TextBytes) -> Bool {
    instructions.withUnsafeBufferPointer { code in
      sets.withUnsafeBufferPointer { sets in
        // On the stack, for up to a thousand bytes.
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: code.count * 4) { memory in
          memory.initialize(repeating: 0)
          var states = PatternStates(code, memory)
          return states.run(text, sets)
        }
      }
    }
  }
}

/// The active states of a program at one position of a text, and at the next position.
private struct PatternStates {
  typealias Memory = UnsafeMutablePointer<UInt32>

  private let code: UnsafeBufferPointer<PatternProgram.Instruction>
  private var current: Memory
  private var currentCount = 0
  private var following: Memory
  private var followingCount = 0
  /// The instructions whose successors have not been added yet.
  private let pending: Memory
  /// For each instruction, the last step, from 1, in which it was reached.
  private let reached: Memory
  private var step: UInt32 = 0

  /// Creates a machine without active states. The memory must contain four words of zero for each
  /// instruction.
  init(
    _ code: UnsafeBufferPointer<PatternProgram.Instruction>,
    _ memory: UnsafeMutableBufferPointer<UInt32>
  ) {
    guard let base = memory.baseAddress else { preconditionFailure("A program is never empty.") }
    self.code = code
    current = base
    following = base + code.count
    pending = base + 2 * code.count
    reached = base + 3 * code.count
  }

  mutating func run(_ text: TextBytes, _ sets: UnsafeBufferPointer<PatternSet>) -> Bool {
    var index = 0
    enter(0, isStart: true, isEnd: text.count == 0)
    while index < text.count {
      advance()
      if currentCount == 0 { return false }
      let (value, length) = text.scalar(at: index)
      index += length
      let isEnd = index == text.count
      for position in 0..<currentCount {
        let state = current[position]
        switch code[Int(state)] {
        case .scalar(let expected):
          if expected == value { enter(state + 1, isStart: false, isEnd: isEnd) }
        case .set(let set):
          if sets[Int(set)].contains(value) { enter(state + 1, isStart: false, isEnd: isEnd) }
        default: break
        }
      }
    }
    advance()
    for position in 0..<currentCount {
      if case .accept = code[Int(current[position])] { return true }
    }
    return false
  }

  private mutating func advance() {
    swap(&current, &following)
    currentCount = followingCount
    followingCount = 0
    // Texts of 2³² scalars cannot be stored.
    step &+= 1
  }

  /// Adds the states that an instruction leads to before the next scalar. Each instruction is
  /// entered at most once in a step, so empty loops terminate and the memory is sufficient.
  private mutating func enter(_ first: UInt32, isStart: Bool, isEnd: Bool) {
    var count = 0
    push(first, &count)
    while count > 0 {
      count -= 1
      let state = pending[count]
      switch code[Int(state)] {
      case .jump(let target): push(target, &count)
      case .split(let left, let right):
        push(left, &count)
        push(right, &count)
      case .start: if isStart { push(state + 1, &count) }
      case .end: if isEnd { push(state + 1, &count) }
      case .scalar, .set, .accept:
        following[followingCount] = state
        followingCount += 1
      }
    }
  }

  @inline(__always)
  private mutating func push(_ state: UInt32, _ count: inout Int) {
    guard reached[Int(state)] != step &+ 1 else { return }
    reached[Int(state)] = step &+ 1
    pending[count] = state
    count += 1
  }
}
