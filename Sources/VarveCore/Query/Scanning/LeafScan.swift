import VarveEncoding
import VarveStorage

/// A scan that reads a table leaf by leaf. In each leaf a filter selects the matching rows, one
/// test after another, and the sink takes the selected rows together.
///
/// A leaf with rows of several layouts, or with rows on overflow pages, is read row by row.
///
/// Thread safety: not thread-safe; each thread creates its own scan.
struct LeafScan: ~Copyable {
  private let scan: RowScan
  /// The version that contains the leaves.
  private let snapshot: Snapshot
  private var leaves: LeafCursor
  var selected: SelectedRows
  /// The layout of the last rows, and the filter compiled for it.
  private var layout: RowLayout
  private var plan: RowPlan? { didSet { planReference = plan.map { .passUnretained($0) } } }
  /// An unretained reference to `plan`. The threads of a scan share its reference count, so
  /// retaining it at each leaf would cause contention.
  // Safe because `plan` retains the object.
  private var planReference: Unmanaged<RowPlan>?

  /// - Parameters:
  ///   - snapshot: The version to read.
  ///   - leaves: The leaves of the class.
  init(_ scan: RowScan, _ snapshot: Snapshot, _ leaves: consuming LeafCursor) {
    self.scan = scan
    self.snapshot = snapshot
    selected = SelectedRows(pageSize: leaves.leaf.pageSize)
    self.leaves = leaves
    layout = scan.schema.currentLayout
    plan = scan.test?.plan(for: layout)
    planReference = plan.map { .passUnretained($0) }
  }

  /// Passes the matching rows of a range of ids to a sink.
  ///
  /// - Returns: Whether the sink accepts more rows.
  mutating func run<S: RowSink>(
    _ ids: ClosedRange<UInt64>, _ sink: inout S
  ) throws(Failure) -> Bool {
    leaves.restart(from: ids.lowerBound, through: ids.upperBound)
    while leaves.next() {
      let needsMore =
        try select()
        ? try sink.take(selected, of: layout, snapshot)
        : try takeEach(&sink)
      if !needsMore { return false }
    }
    return true
  }

  /// Selects the matching rows of a leaf.
  ///
  /// - Returns: false if the rows have to be read one by one.
  private mutating func select() throws(Failure) -> Bool {
    guard adoptLayout(of: leaves.leaf) else { return false }
    guard let plan = planReference else { return selectAll() }
    let fresh = FreshRows(
      leaf: leaves.leaf, layoutID: layout.id, fixedEnd: layout.fixedEnd, selected: selected)
    return try plan.select(fresh, into: &selected, snapshot)
  }

  // A separate function, so that its loop does not compete for registers.
  @inline(never)
  private mutating func selectAll() -> Bool {
    selected.keep(of: leaves.leaf, layoutID: layout.id, fixedEnd: layout.fixedEnd) { _ in true }
  }

  /// Adopts the layout of the first row.
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
  /// Calls ``RowPlan/select(_:into:_:)`` of the plan without retaining it.
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
