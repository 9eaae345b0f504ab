/// Ranges of which much is changed: LMDB's cursor steps from entry to entry.
extension WriteTransaction {
  /// `countRange(_:lower:upper:)` by steps.
  func countStepping(
    _ table: Table, lower: UnsafeRawBufferPointer?, upper: UnsafeRawBufferPointer?
  ) -> Int {
    var cursor = cursor(table)
    var isPresent = lower.map { cursor.seek(key: $0) } ?? cursor.seekFirst()
    var count = 0
    while isPresent {
      if let upper, PageMap.compare(cursor.key, upper) >= 0 { break }
      count += 1
      isPresent = cursor.next()
    }
    return count
  }

  /// As `countStepping(_:lower:upper:)`, for integer keys.
  func countStepping(_ table: Table, lower: UInt64, upper: UInt64?) -> Int {
    var cursor = cursor(table)
    var isPresent = cursor.seek(id: lower)
    var count = 0
    while isPresent {
      if let upper, cursor.id >= upper { break }
      count += 1
      isPresent = cursor.next()
    }
    return count
  }

  /// `estimateRange(_:lower:upper:)` by a few steps: as if keys were as dense in the whole range as at its
  /// beginning.
  func estimateStepping(
    _ table: Table, lower: UnsafeRawBufferPointer?, upper: UnsafeRawBufferPointer?
  ) -> Int {
    var cursor = cursor(table)
    guard lower.map({ cursor.seek(key: $0) }) ?? cursor.seekFirst() else { return 0 }
    let first = Array(cursor.key)
    var steps = 0
    while steps < StepEstimate.steps {
      if let upper, PageMap.compare(cursor.key, upper) >= 0 { return steps }
      steps += 1
      guard cursor.next() else { return steps }
    }
    let here = Array(cursor.key)
    let hasLast = upper.map { cursor.seek(key: $0) && cursor.previous() } ?? cursor.seekLast()
    guard hasLast || cursor.seekLast() else { return steps }
    let last = Array(cursor.key)
    let shared = zip(first, last).prefix { $0 == $1 }.count
    return StepEstimate.extrapolate(
      StepEstimate.number(first, shared), StepEstimate.number(here, shared),
      StepEstimate.number(last, shared), atMost: count(table))
  }

  /// As `estimateStepping(_:lower:upper:)`, for integer keys.
  func estimateStepping(_ table: Table, lower: UInt64, upper: UInt64?) -> Int {
    var cursor = cursor(table)
    guard cursor.seek(id: lower) else { return 0 }
    let first = cursor.id
    var steps = 0
    while steps < StepEstimate.steps {
      if let upper, cursor.id >= upper { return steps }
      steps += 1
      guard cursor.next() else { return steps }
    }
    let here = cursor.id
    let hasLast = upper.map { cursor.seek(id: $0) && cursor.previous() } ?? cursor.seekLast()
    guard hasLast || cursor.seekLast() else { return steps }
    return StepEstimate.extrapolate(
      Double(first), Double(here), Double(cursor.id), atMost: count(table))
  }
}

/// What a few steps at the beginning of a range tell of all of it.
private enum StepEstimate {
  static let steps = 256

  /// The eight bytes of a key behind the first ones.
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
