import VarveEncoding

/// Memory for the constants that a compiled filter compares with: reached without counting references, and
/// freed with this.
///
/// Thread safety: written while the filter is compiled, and immutable from then on.
final class ScanConstants {
  private var allocated: [UnsafeMutableRawPointer] = []

  deinit {
    for memory in allocated { memory.deallocate() }
  }

  func keys(_ keys: [UInt64]) -> UnsafeBufferPointer<UInt64> {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: max(8, 8 * keys.count), alignment: 8)
    allocated.append(memory)
    let target = memory.bindMemory(to: UInt64.self, capacity: keys.count)
    target.initialize(from: keys, count: keys.count)
    return UnsafeBufferPointer(start: target, count: keys.count)
  }

  func bytes(_ bytes: [UInt8]) -> UnsafeRawBufferPointer {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: max(1, bytes.count), alignment: 1)
    allocated.append(memory)
    memory.copyMemory(from: bytes, byteCount: bytes.count)
    return UnsafeRawBufferPointer(start: memory, count: bytes.count)
  }

  /// - Complexity: O(n log n) comparisons.
  func sorted(_ strings: [[UInt8]]) -> UnsafeBufferPointer<UnsafeRawBufferPointer> {
    let ordered = strings.sorted { $0.lexicographicallyPrecedes($1) }.map { bytes($0) }
    let stride = MemoryLayout<UnsafeRawBufferPointer>.stride
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: max(1, stride * ordered.count), alignment: 8)
    allocated.append(memory)
    let target = memory.bindMemory(to: UnsafeRawBufferPointer.self, capacity: ordered.count)
    target.initialize(from: ordered, count: ordered.count)
    return UnsafeBufferPointer(start: target, count: ordered.count)
  }
}

extension UnsafeBufferPointer<UInt64> {
  /// Whether an ascending list has a key.
  ///
  /// - Complexity: O(log n).
  @inline(__always)
  func hasSorted(_ key: UInt64) -> Bool {
    var low = 0
    var high = count
    while low < high {
      let middle = (low &+ high) &>> 1
      if self[middle] < key { low = middle &+ 1 } else { high = middle }
    }
    return low < count && self[low] == key
  }
}
