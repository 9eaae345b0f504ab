import VarveEncoding

/// The constants of a compiled filter, in memory that is read without reference counting and
/// deallocated with this object.
///
/// Thread safety: written only while the filter is compiled, then immutable.
final class ScanConstants {
  private var allocated: [UnsafeMutableRawPointer] = []

  deinit {
    for memory in allocated { memory.deallocate() }
  }

  /// - Precondition: `T` contains no references.
  func copy<T>(_ elements: [T]) -> UnsafeBufferPointer<T> {
    let memory = UnsafeMutablePointer<T>.allocate(capacity: max(1, elements.count))
    allocated.append(UnsafeMutableRawPointer(memory))
    memory.initialize(from: elements, count: elements.count)
    return UnsafeBufferPointer(start: memory, count: elements.count)
  }

  func bytes(_ bytes: [UInt8]) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(copy(bytes)) }

  /// - Complexity: O(n log n) comparisons.
  func sorted(_ strings: [[UInt8]]) -> UnsafeBufferPointer<UnsafeRawBufferPointer> {
    copy(strings.sorted { $0.lexicographicallyPrecedes($1) }.map { bytes($0) })
  }
}
