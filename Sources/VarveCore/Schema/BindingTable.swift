import Synchronization

/// The newest binding of each model class, found without a lock.
///
/// The table does not own the bindings: the store keeps every binding as long as it exists.
///
/// Thread safety: any thread may look up bindings; entries are replaced atomically.
final class BindingTable: @unchecked Sendable {
  // Safe because the memory is allocated once, its words are accessed atomically, and it is freed
  // with the last reference.
  private static let capacity = 1024
  private let words: UnsafeMutablePointer<Atomic<UInt>>

  init() {
    words = .allocate(capacity: BindingTable.capacity)
    for index in 0..<BindingTable.capacity { (words + index).initialize(to: Atomic(0)) }
  }

  deinit {
    words.deinitialize(count: BindingTable.capacity)
    words.deallocate()
  }

  /// Returns the binding last stored for a model, or nil when there is none, or the table has no
  /// room for it.
  @inline(__always)
  func binding(at modelIndex: Int) -> Unmanaged<ClassBinding>? {
    guard modelIndex < BindingTable.capacity else { return nil }
    let bits = words[modelIndex].load(ordering: .acquiring)
    return UnsafeRawPointer(bitPattern: bits).map { Unmanaged.fromOpaque($0) }
  }

  func store(_ binding: ClassBinding, at modelIndex: Int) {
    guard modelIndex < BindingTable.capacity else { return }
    let bits = UInt(bitPattern: Unmanaged.passUnretained(binding).toOpaque())
    words[modelIndex].store(bits, ordering: .releasing)
  }
}
