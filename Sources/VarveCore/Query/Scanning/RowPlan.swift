import VarveEncoding
import VarveStorage

/// A ``RowTest`` compiled for the rows of one layout.
///
/// Thread safety: safe to use from any thread.
final class RowPlan: @unchecked Sendable {
  // Safe because nothing changes after init.

  /// The successors of a step.
  private struct Exits {
    let ifTrue: Int
    let ifFalse: Int
  }

  struct Part {
    /// The test of the step, or its negation. Valid during the lifetime of the plan.
    let test: UnsafePointer<FieldTest>
    /// The index of the step.
    let step: Int
  }

  let layout: RowLayout
  /// The tests that must all pass first, in this order. Owned by the plan: the reference count of
  /// an array would be updated for each leaf, with contention between threads.
  private let leading: UnsafeMutableBufferPointer<Part>
  /// The program step at which the rows that pass the leading tests continue.
  private let rest: Int
  private let steps: [RowTest.Step]
  /// The tests of the steps, followed by their negations. They are large, so they are read in
  /// place.
  private let tests: UnsafeMutablePointer<FieldTest>
  private let exits: UnsafeMutablePointer<Exits>
  private let start: Int
  private let constants = ScanConstants()

  init(_ steps: [RowTest.Step], from start: Int, _ layout: RowLayout) {
    self.steps = steps
    self.layout = layout
    let tests = steps.map { [constants] step in
      switch step.test {
      case .predicate(let predicate, let property):
        FieldTest(predicate, property, in: layout, constants)
      case .comparison: FieldTest(.value)
      }
    }
    var resolved = [Int?](repeating: nil, count: tests.count)
    func end(_ index: Int) -> Int { RowPlan.resolve(index, steps, tests, &resolved) }
    exits = .allocate(capacity: tests.count)
    self.tests = .allocate(capacity: 2 * tests.count)
    for (index, step) in steps.enumerated() {
      (exits + index).initialize(to: Exits(ifTrue: end(step.ifTrue), ifFalse: end(step.ifFalse)))
      (self.tests + index).initialize(to: tests[index])
      (self.tests + tests.count + index).initialize(to: tests[index].negated)
    }
    self.start = end(start)
    (leading, rest) = RowPlan.leading(exits, self.tests, count: tests.count, self.start)
  }

  deinit {
    leading.deallocate()
    tests.deallocate()
    exits.deallocate()
  }

  /// Skips steps with a constant outcome.
  ///
  /// - Complexity: O(1), amortized over all steps.
  private static func resolve(
    _ start: Int, _ steps: [RowTest.Step], _ tests: [FieldTest], _ resolved: inout [Int?]
  ) -> Int {
    var current = start
    var passed: [Int] = []
    while current >= 0 {
      if let cached = resolved[current] {
        current = cached
        break
      }
      guard tests[current].kind == .always || tests[current].kind == .never else { break }
      passed.append(current)
      current = tests[current].kind == .always ? steps[current].ifTrue : steps[current].ifFalse
    }
    for index in passed { resolved[index] = current }
    return current
  }

  /// The leading tests, each of which rejects a row immediately, and the step that follows them.
  private static func leading(
    _ exits: UnsafeMutablePointer<Exits>, _ tests: UnsafeMutablePointer<FieldTest>, count: Int,
    _ start: Int
  ) -> (UnsafeMutableBufferPointer<Part>, Int) {
    var parts: [Part] = []
    var current = start
    while current >= 0 {
      let step = exits[current]
      if step.ifFalse == RowTest.rejected {
        parts.append(Part(test: tests + current, step: current))
        current = step.ifTrue
      } else if step.ifTrue == RowTest.rejected {
        parts.append(Part(test: tests + count + current, step: current))
        current = step.ifFalse
      } else {
        break
      }
    }
    let buffer = UnsafeMutableBufferPointer<Part>.allocate(capacity: parts.count)
    _ = buffer.initialize(fromContentsOf: parts)
    return (buffer, current)
  }
}

extension RowPlan {
  /// Whether one row passes.
  ///
  /// - Parameters:
  ///   - row: The first byte of a validated row of the layout.
  ///   - reader: The reader that the row belongs to.
  /// - Throws: `.corrupted` if the row is damaged.
  func accepts(
    _ row: UnsafeRawPointer, id: UInt64, _ reader: any TableReader
  ) throws(Failure) -> Bool {
    try accepts(row, id, from: start, reader)
  }

  private func accepts(
    _ row: UnsafeRawPointer, _ id: UInt64, from start: Int, _ reader: any TableReader
  ) throws(Failure) -> Bool {
    var current = start
    while current >= 0 {
      let matches = try matches(tests + current, current, row, id, reader)
      current = matches ? exits[current].ifTrue : exits[current].ifFalse
    }
    return current == RowTest.accepted
  }

  /// Selects the matching rows of a leaf.
  ///
  /// - Returns: false if the leaf contains an entry that is not a plain row of the layout.
  /// - Throws: `.corrupted` if a row is damaged.
  func select(
    _ fresh: FreshRows, into selected: inout SelectedRows, _ reader: any TableReader
  ) throws(Failure) -> Bool {
    var fresh = fresh
    defer { selected = fresh.selected }
    guard let first = leading.first else { return try keepRest(of: &fresh, reader) }
    guard try keep(first, of: &fresh, reader) else { return false }
    for part in leading.dropFirst() where fresh.selected.count > 0 {
      _ = try keep(part, of: &fresh.selected, reader)
    }
    if rest != RowTest.accepted { _ = try keepRest(of: &fresh.selected, reader) }
    return true
  }

  /// Keeps the rows that pass the steps after the leading tests.
  private func keepRest<F: RowFeed>(
    of feed: inout F, _ reader: any TableReader
  ) throws(Failure) -> Bool {
    if rest < 0 {
      let passes = rest == RowTest.accepted
      return feed.keep { _ in passes }
    }
    return try feed.keep { (row) throws(Failure) in
      try accepts(row, SelectedRows.id(ofRow: row), from: rest, reader)
    }
  }

  /// Whether a row satisfies a step, decided by decoding the value. Detects damaged values.
  @inline(never)
  func valueMatches(
    _ test: UnsafePointer<FieldTest>, _ step: Int, _ row: UnsafeRawPointer, _ id: UInt64,
    _ reader: any TableReader
  ) throws(Failure) -> Bool {
    let row = try RowReader(checked: row, layout: layout)
    let matches: Bool
    switch steps[step].test {
    case .predicate(let predicate, let property):
      matches = predicate.matches(try reader.value(of: row, id, property))
    case .comparison(let comparison): matches = try comparison.matches(.row(row, id))
    }
    return matches != test.pointee.isNegated
  }
}

extension RowReader {
  /// Creates a reader for a row that has already been validated.
  ///
  /// - Throws: Never, if the row has not changed since.
  init(checked row: UnsafeRawPointer, layout: RowLayout) throws(Failure) {
    let bytes = UnsafeRawBufferPointer(start: row, count: RowHeader.length(row))
    self = try Failure.decoding(
      "A row is damaged.", try RowReader(validating: bytes, layout: layout))
  }
}
