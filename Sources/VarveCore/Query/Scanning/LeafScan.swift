import VarveEncoding
import VarveStorage

/// A scan from leaf to leaf: in each one a filter first keeps the rows that pass, test by test, and what is left
/// is then taken together.
///
/// A leaf whose rows are not all of one layout, or some of which lie in pages of their own, is read row by row.
///
/// Thread safety: none; each thread makes its own.
struct LeafScan: ~Copyable {
  private let scan: RowScan
  /// The version that has the leaves.
  private let snapshot: Snapshot
  private var leaves: LeafCursor
  var selected: SelectedRows
  /// The layout that rows were of last, and the filter compiled for it.
  private var layout: RowLayout
  private var plan: RowPlan? { didSet { lentPlan = plan.map { .passUnretained($0) } } }
  /// The same. Its references are not counted at each leaf: the threads of a scan share the count, and would wait
  /// for one another.
  // Safe because `plan` holds it.
  private var lentPlan: Unmanaged<RowPlan>?

  /// - Parameters:
  ///   - scan: what is asked of the rows.
  ///   - snapshot: the version that is read.
  ///   - leaves: those of the class.
  init(_ scan: RowScan, _ snapshot: Snapshot, _ leaves: consuming LeafCursor) {
    self.scan = scan
    self.snapshot = snapshot
    selected = SelectedRows(pageSize: leaves.leaf.pageSize)
    self.leaves = leaves
    layout = scan.schema.currentLayout
    plan = scan.test?.plan(for: layout)
    lentPlan = plan.map { .passUnretained($0) }
  }

  /// Gives the rows of a range of ids that pass to a sink.
  ///
  /// - Returns: Whether the sink wants more.
  mutating func run<S: RowSink>(
    _ ids: ClosedRange<UInt64>, _ sink: inout S
  ) throws(Failure) -> Bool {
    leaves.restart(from: ids.lowerBound, through: ids.upperBound)
    while leaves.next() {
      let wantsMore =
        try select()
        ? try sink.take(selected, of: layout, snapshot)
        : try takeEach(&sink)
      if !wantsMore { return false }
    }
    return true
  }

  /// Keeps the rows of a leaf that pass.
  ///
  /// - Returns: false when they have to be looked at one by one.
  private mutating func select() throws(Failure) -> Bool {
    guard adoptLayout(of: leaves.leaf) else { return false }
    guard let plan = lentPlan else { return selectAll() }
    let fresh = FreshRows(
      leaf: leaves.leaf, layoutID: layout.id, fixedEnd: layout.fixedEnd, selected: selected)
    return try plan.select(fresh, into: &selected, snapshot)
  }

  // Apart, so that its loop has the registers for itself.
  @inline(never)
  private mutating func selectAll() -> Bool {
    selected.keep(of: leaves.leaf, layoutID: layout.id, fixedEnd: layout.fixedEnd) { _ in true }
  }

  /// Takes up the layout of the first row.
  private mutating func adoptLayout(of leaf: TableLeaf) -> Bool {
    guard let entry = leaf.plainEntry(at: leaf.start), entry.byteCount >= Row.headerBytes else {
      return false
    }
    let id = RowHeader.layoutID(leaf.page + entry.offset + TableLeaf.valueOffset)
    if id == layout.id { return true }
    guard let found = scan.schema.layouts[id] else { return false }
    adopt(found)
    return true
  }

  private mutating func adopt(_ layout: RowLayout) {
    self.layout = layout
    plan = scan.test?.plan(for: layout)
  }

  private mutating func takeEach<S: RowSink>(_ sink: inout S) throws(Failure) -> Bool {
    let leaf = leaves.leaf
    for index in leaf.start..<leaf.end {
      leaf.prefetchLater(beside: index)
      guard let entry = leaves.entry(at: index) else { return false }
      let row = try scan.row(entry.value)
      if row.layout.id != layout.id { adopt(row.layout) }
      if let plan, try !plan.accepts(row.base, id: entry.id, snapshot) { continue }
      if try !sink.take(row, id: entry.id, snapshot) { return false }
    }
    return true
  }
}

extension Unmanaged<RowPlan> {
  /// As that of the plan, which others hold.
  @inline(__always)
  fileprivate func select(
    _ fresh: FreshRows, into selected: inout SelectedRows, _ reader: any TableReader
  ) throws(Failure) -> Bool {
    var result = Result<Bool, Failure>.success(false)
    _withUnsafeGuaranteedRef { plan in
      do throws(Failure) {
        result = .success(try plan.select(fresh, into: &selected, reader))
      } catch {
        result = .failure(error)
      }
    }
    return try result.get()
  }
}
