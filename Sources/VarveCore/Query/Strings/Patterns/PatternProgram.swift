/// A regular expression, compiled to instructions of a machine that simulates all states in
/// parallel (Thompson, Pike). The time for a text is proportional to the text and to the program,
/// for every pattern.
///
/// Varve uses its own small engine because Swift's `Regex` and `NSRegularExpression` backtrack:
/// `(a*)*b` may take practically unbounded time for a short text. A predicate may come from the
/// user of an application, and the texts from other users.
struct PatternProgram: Sendable {
  enum Instruction: Sendable {
    case scalar(UInt32)
    case set(UInt32)
    case split(UInt32, UInt32)
    case jump(UInt32)
    case start, end
    case accept
  }

  /// The maximum number of instructions of a program. Quantifiers such as `{1000}` repeat the
  /// instructions of their operand.
  static let maximumLength = 20_000

  private(set) var instructions: [Instruction] = []
  private(set) var sets: [PatternSet] = []

  /// - Throws: A fault if the program would be longer than ``maximumLength``, before any
  ///   instruction is created.
  /// - Complexity: O(the program).
  init(_ root: PatternNode) throws(TextTest.Fault) {
    guard root.size < Self.maximumLength else {
      throw TextTest.Fault(
        message: "The pattern compiles to more than 20,000 instructions.",
        position: 0)
    }
    append(root)
    instructions.append(.accept)
  }

  private var next: UInt32 { UInt32(truncatingIfNeeded: instructions.count) }

  /// The recursion depth is the nesting depth of the pattern, which the parser limits.
  private mutating func append(_ node: PatternNode) {
    switch node {
    case .literal(let scalars): for scalar in scalars { instructions.append(.scalar(scalar)) }
    case .set(let set):
      instructions.append(.set(UInt32(truncatingIfNeeded: sets.count)))
      sets.append(set)
    case .start: instructions.append(.start)
    case .end: instructions.append(.end)
    case .sequence(let parts): for part in parts { append(part) }
    case .choice(let parts): append(choice: parts)
    case .repeated(let part, let atLeast, let atMost):
      append(part, atLeast: atLeast, atMost: atMost)
    }
  }

  private mutating func append(choice parts: [PatternNode]) {
    var jumps: [Int] = []
    for part in parts.dropLast() {
      let split = instructions.count
      instructions.append(.split(next + 1, 0))
      append(part)
      jumps.append(instructions.count)
      instructions.append(.jump(0))
      instructions[split] = .split(UInt32(truncatingIfNeeded: split) + 1, next)
    }
    if let last = parts.last { append(last) }
    for jump in jumps { instructions[jump] = .jump(next) }
  }

  private mutating func append(_ part: PatternNode, atLeast: Int, atMost: Int?) {
    // Repetitions of an empty part are empty.
    guard part.size > 0 else { return }
    var lastCopy = next
    for _ in 0..<atLeast {
      lastCopy = next
      append(part)
    }
    guard let atMost else {
      return append(loopOf: part, lastCopy: atLeast > 0 ? lastCopy : nil)
    }
    var splits: [Int] = []
    for _ in atLeast..<atMost {
      splits.append(instructions.count)
      instructions.append(.split(0, 0))
      append(part)
    }
    for split in splits {
      instructions[split] = .split(UInt32(truncatingIfNeeded: split) + 1, next)
    }
  }

  /// Appends an unbounded loop of a part, which jumps back to the last copy if there is one.
  private mutating func append(loopOf part: PatternNode, lastCopy: UInt32?) {
    if let lastCopy {
      instructions.append(.split(lastCopy, next + 1))
      return
    }
    let split = next
    instructions.append(.split(0, 0))
    append(part)
    instructions.append(.jump(split))
    instructions[Int(split)] = .split(split + 1, next)
  }
}
