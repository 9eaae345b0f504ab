import Synchronization

/// A lock-free lookup table of class infos: a hash table with open addressing that only grows.
///
/// The table does not own the infos; `ClassInfo` keeps each of them for the life of the process.
/// When the table is full, further classes are not inserted, and lookups of them use the lock.
///
/// Thread safety: any thread may look up a class. Insertions are serialized by the lock of
/// `ClassInfo`.
final class ClassTable: @unchecked Sendable {
  // Safe because the memory is allocated once and never freed, and its words are accessed
  // atomically: an entry's info is stored before its key.
  private struct Entry: ~Copyable {
    let key = Atomic<UInt>(0)
    let info = Atomic<UInt>(0)
  }
  private static let capacity = 8192
  private let entries: UnsafeMutablePointer<Entry>
  private var count = 0

  init() {
    entries = .allocate(capacity: ClassTable.capacity)
    for index in 0..<ClassTable.capacity { (entries + index).initialize(to: Entry()) }
  }

  @inline(__always)
  private static func start(_ key: UInt) -> Int {
    Int(truncatingIfNeeded: ((key >> 4) &* 0x9E37_79B9_7F4A_7C15) >> 51)
  }

  /// Returns the info of a class, or nil when the class was not inserted.
  @inline(__always)
  func info(of type: ObjectIdentifier) -> Unmanaged<ClassInfo>? {
    let key = UInt(bitPattern: type)
    var position = ClassTable.start(key)
    while true {
      let found = entries[position].key.load(ordering: .acquiring)
      if found == key {
        let bits = entries[position].info.load(ordering: .relaxed)
        return UnsafeRawPointer(bitPattern: bits).map { Unmanaged.fromOpaque($0) }
      }
      if found == 0 { return nil }
      position = (position + 1) & (ClassTable.capacity - 1)
    }
  }

  /// Inserts a class. Does nothing when the table is three quarters full.
  func insert(_ info: ClassInfo, of type: ObjectIdentifier) {
    guard count < ClassTable.capacity * 3 / 4 else { return }
    count += 1
    let key = UInt(bitPattern: type)
    var position = ClassTable.start(key)
    while entries[position].key.load(ordering: .relaxed) != 0 {
      position = (position + 1) & (ClassTable.capacity - 1)
    }
    entries[position].info.store(
      UInt(bitPattern: Unmanaged.passUnretained(info).toOpaque()), ordering: .relaxed)
    entries[position].key.store(key, ordering: .releasing)
  }
}
