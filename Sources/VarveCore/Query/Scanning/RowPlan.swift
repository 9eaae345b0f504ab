import VarveEncoding
import VarveStorage

/// A ``RowTest`` compiled for the rows of one layout.
///
/// Thread safety: any thread.
final class RowPlan: @unchecked Sendable {
  // Safe because nothing changes after init.

  /// Where a step leads.
  private struct Exits {
    let ifTrue: Int
    let ifFalse: Int
  }

  struct Part {
    /// That of the step, or its opposite. Valid while the plan is held.
    let test: UnsafePointer<FieldTest>
    /// The step that it is of.
    let step: Int
  }

  let layout: RowLayout
  /// These must all hold first, in this order. Of the plan: an array would be counted anew for each leaf, by threads
  /// that wait for one another to do it.
  private let leading: UnsafeMutableBufferPointer<Part>
  /// Where the program goes on for the rows that pass them.
  private let rest: Int
  private let steps: [RowTest.Step]
  /// The tests of the steps, then their opposites: read in place, since they are large.
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
    func end(_ place: Int) -> Int { RowPlan.resolve(place, steps, tests, &resolved) }
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

  /// Passes over steps whose outcome is known.
  ///
  /// - Complexity: O(1) amortised over all places.
  private static func resolve(
    _ place: Int, _ steps: [RowTest.Step], _ tests: [FieldTest], _ resolved: inout [Int?]
  ) -> Int {
    var place = place
    var passed: [Int] = []
    while place >= 0 {
      if let known = resolved[place] {
        place = known
        break
      }
      guard tests[place].kind == .always || tests[place].kind == .never else { break }
      passed.append(place)
      place = tests[place].kind == .always ? steps[place].ifTrue : steps[place].ifFalse
    }
    for index in passed { resolved[index] = place }
    return place
  }

  /// The tests at the beginning that reject a row at once, and the place behind them.
  private static func leading(
    _ exits: UnsafeMutablePointer<Exits>, _ tests: UnsafeMutablePointer<FieldTest>, count: Int,
    _ start: Int
  ) -> (UnsafeMutableBufferPointer<Part>, Int) {
    var parts: [Part] = []
    var place = start
    while place >= 0 {
      let step = exits[place]
      if step.ifFalse == RowTest.rejected {
        parts.append(Part(test: tests + place, step: place))
        place = step.ifTrue
      } else if step.ifTrue == RowTest.rejected {
        parts.append(Part(test: tests + count + place, step: place))
        place = step.ifFalse
      } else {
        break
      }
    }
    let buffer = UnsafeMutableBufferPointer<Part>.allocate(capacity: parts.count)
    _ = buffer.initialize(fromContentsOf: parts)
    return (buffer, place)
  }
}

extension RowPlan {
  /// Whether one row passes.
  ///
  /// - Parameters:
  ///   - row: the first byte of a checked row of the layout.
  ///   - id: the id of the object.
  ///   - reader: what the row is of.
  /// - Returns: Whether it does.
  /// - Throws: `.corrupted` when the row is damaged.
  func accepts(
    _ row: UnsafeRawPointer, id: UInt64, _ reader: any TableReader
  ) throws(Failure) -> Bool {
    try accepts(row, id, from: start, reader)
  }

  private func accepts(
    _ row: UnsafeRawPointer, _ id: UInt64, from start: Int, _ reader: any TableReader
  ) throws(Failure) -> Bool {
    var place = start
    while place >= 0 {
      let holds = try holds(tests + place, place, row, id, reader)
      place = holds ? exits[place].ifTrue : exits[place].ifFalse
    }
    return place == RowTest.accepted
  }

  /// Keeps the rows of a leaf that pass.
  ///
  /// - Returns: false when the leaf has rows of another form.
  /// - Throws: `.corrupted` when a row is damaged.
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

  /// Keeps the rows that pass what comes behind the leading tests.
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

  /// Whether a row satisfies a step, decided by the value. Meets what is damaged.
  @inline(never)
  func valueHolds(
    _ test: UnsafePointer<FieldTest>, _ step: Int, _ row: UnsafeRawPointer, _ id: UInt64,
    _ reader: any TableReader
  ) throws(Failure) -> Bool {
    let row = try RowReader(checked: row, layout: layout)
    let holds: Bool
    switch steps[step].test {
    case .predicate(let predicate, let property):
      holds = predicate.holds(try reader.value(of: row, id, property))
    case .comparison(let comparison): holds = try comparison.holds(.row(row, id))
    }
    return holds != test.pointee.isNegated
  }
}

extension RowReader {
  /// A view of a row that was checked before.
  ///
  /// - Throws: never for a row that is still the same.
  init(checked row: UnsafeRawPointer, layout: RowLayout) throws(Failure) {
    let bytes = UnsafeRawBufferPointer(start: row, count: RowHeader.length(row))
    self = try Failure.decoding(
      "A row is damaged.", try RowReader(validating: bytes, layout: layout))
  }
}
