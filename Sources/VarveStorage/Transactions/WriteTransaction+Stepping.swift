/// Ranges with many changes: LMDB's cursor moves from entry to entry.
extension WriteTransaction {
  /// Counts the entries of a range one by one. See `countRange(_:_:)`.
  func countStepping(_ table: Table, _ range: KeyRange) -> Int {
    var cursor = cursor(table)
    var isPresent = cursor.seek(startOf: range)
    var count = 0
    while isPresent, cursor.isBelow(endOf: range) {
      count += 1
      isPresent = cursor.next()
    }
    return count
  }

  /// Estimates the entries of a range from a few moves, assuming that keys are as dense in the
  /// whole range as at its beginning. See `estimateRange(_:_:)`.
  func estimateStepping(_ table: Table, _ range: KeyRange) -> Int {
    func ordered(_ key: UnsafeRawBufferPointer) -> [UInt8] {
      table.hasIntegerKeys ? key.reversed() : Array(key)
    }
    var cursor = cursor(table)
    guard cursor.seek(startOf: range) else { return 0 }
    let first = ordered(cursor.key)
    var steps = 0
    while steps < StepEstimate.steps {
      guard cursor.isBelow(endOf: range) else { return steps }
      steps += 1
      guard cursor.next() else { return steps }
    }
    let here = ordered(cursor.key)
    guard cursor.seek(endOf: range) else { return steps }
    let last = ordered(cursor.key)
    let shared = zip(first, last).prefix { $0 == $1 }.count
    return StepEstimate.extrapolate(
      StepEstimate.number(first, shared), StepEstimate.number(here, shared),
      StepEstimate.number(last, shared), atMost: count(table))
  }
}

/// An extrapolation from a few moves at the beginning of a range.
private enum StepEstimate {
  static let steps = 256

  /// Returns the eight bytes of a key from an offset as a number.
  static func number(_ key: [UInt8], _ start: Int) -> Double {
    var number: UInt64 = 0
    for index in start..<(start + 8) {
      number = number << 8 | UInt64(index < key.count ? key[index] : 0)
    }
    return Double(number)
  }

  static func extrapolate(_ first: Double, _ here: Double, _ last: Double, atMost limit: Int) -> Int
  {
    let whole = last - first
    let seen = here - first
    guard seen > 0, whole > seen else { return max(steps, min(limit, steps * 2)) }
    let estimate = Double(steps) * whole / seen
    return max(steps, estimate < Double(limit) ? Int(estimate) : limit)
  }
}
