import CVarve

/// Decides when the heap memory of closed stores is given back to the kernel: the blocks of LMDB lie
/// between others, so that `free` does not.
///
/// Trimming takes milliseconds. It is therefore due only after many stores were open at once, when
/// three quarters of them are closed, and when all are.
struct HeapTrimming {
  /// The number of open stores that are many.
  static let many = 64

  private var openCount = 0
  /// The most stores that were open at once since none was.
  private var most = 0
  /// The most stores that were open at once since trimming was due.
  private var mostSinceDue = 0
  private var isDue = false

  mutating func noteOpened() {
    openCount += 1
    most = max(most, openCount)
    mostSinceDue = max(mostSinceDue, openCount)
  }

  mutating func noteClosed() {
    openCount -= 1
    let isDue =
      openCount == 0
      ? most >= Self.many : mostSinceDue >= Self.many && 4 * openCount <= mostSinceDue
    if isDue {
      self.isDue = true
      mostSinceDue = openCount
    }
    if openCount == 0 { most = 0 }
  }

  /// Returns whether trimming is due, and records that it is done.
  mutating func take() -> Bool {
    defer { isDue = false }
    return isDue
  }
}

extension Environment {
  /// Gives unused memory of the heap back to the kernel if many stores were closed since the last
  /// call. The caller has released the closed stores.
  package static func trimHeapIfDue() {
    if EnvironmentRegistry.takeTrimming() { varve_trim_heap() }
  }
}
