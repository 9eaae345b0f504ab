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

  enum Shape {
    case never, always
    /// These must all hold, in this order. Of the plan: an array would be counted anew for each leaf, by threads
    /// that wait for one another to do it.
    case all(UnsafeMutableBufferPointer<Part>)
    case program
  }

  struct Part {
    /// That of the step, or its opposite. Valid while the plan is held.
    let test: UnsafePointer<FieldTest>
    /// The step that it is of.
    let step: Int
  }

  let layout: RowLayout
  let shape: Shape
  private let content: RowTest.Content
  /// The tests of the steps, then their opposites: read in place, since they are large.
  private let tests: UnsafeMutablePointer<FieldTest>
  private let exits: UnsafeMutablePointer<Exits>
  private let start: Int
  private let constants = ScanConstants()

  init(_ content: RowTest.Content, _ layout: RowLayout) {
    self.content = content
    self.layout = layout
    let tests = content.steps.indices.map { [constants] index in
      FieldTest(content.steps[index].criterion, content.properties[index], in: layout, constants)
    }
    var resolved = [Int?](repeating: nil, count: tests.count)
    func end(_ place: Int) -> Int { RowPlan.resolve(place, content.steps, tests, &resolved) }
    exits = .allocate(capacity: tests.count)
    self.tests = .allocate(capacity: 2 * tests.count)
    for (index, step) in content.steps.enumerated() {
      (exits + index).initialize(to: Exits(ifTrue: end(step.ifTrue), ifFalse: end(step.ifFalse)))
      (self.tests + index).initialize(to: tests[index])
      (self.tests + tests.count + index).initialize(to: tests[index].negated)
    }
    start = end(content.start)
    shape = RowPlan.shape(exits, self.tests, count: tests.count, start)
  }

  deinit {
    if case .all(let parts) = shape {
      parts.deinitialize()
      parts.deallocate()
    }
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

  private static func shape(
    _ exits: UnsafeMutablePointer<Exits>, _ tests: UnsafeMutablePointer<FieldTest>, count: Int,
    _ start: Int
  ) -> Shape {
    if start == RowTest.accepted { return .always }
    if start == RowTest.rejected { return .never }
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
        return .program
      }
    }
    guard place == RowTest.accepted else { return .never }
    let buffer = UnsafeMutableBufferPointer<Part>.allocate(capacity: parts.count)
    _ = buffer.initialize(fromContentsOf: parts)
    return .all(buffer)
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
    switch shape {
    case .never: return fresh.keep { _ in false }
    case .always: return fresh.keep { _ in true }
    case .all(let parts):
      guard try keep(parts[0], of: &fresh, reader) else { return false }
      for part in parts.dropFirst() where fresh.selected.count > 0 {
        _ = try keep(part, of: &fresh.selected, reader)
      }
      return true
    case .program:
      return try fresh.keep { (row) throws(Failure) in
        try accepts(row, id: SelectedRows.id(ofRow: row), reader)
      }
    }
  }

  /// Whether a row satisfies a step, decided by the value. Meets what is damaged.
  @inline(never)
  func valueHolds(
    _ test: UnsafePointer<FieldTest>, _ step: Int, _ row: UnsafeRawPointer, _ id: UInt64,
    _ reader: any TableReader
  ) throws(Failure) -> Bool {
    let property = content.properties[step]
    let row = try RowReader(checked: row, layout: layout)
    let value = try reader.value(of: row, id, property)
    return content.steps[step].criterion.holds(value) != test.pointee.isNegated
  }
}

extension RowReader {
  /// A view of a row that was checked before.
  ///
  /// - Throws: never for a row that is still the same.
  init(checked row: UnsafeRawPointer, layout: RowLayout) throws(Failure) {
    let bytes = UnsafeRawBufferPointer(start: row, count: RowHeader.length(row))
    do throws(FormatError) {
      self = try RowReader(validating: bytes, layout: layout)
    } catch {
      throw Failure(error, message: "A row is damaged.")
    }
  }
}
