import Synchronization

/// Finds the info of a class without a lock: a hash table that only grows, with open addressing.
///
/// It does not own the infos: `ClassInfo` keeps each for the life of the process. A table that is full
/// finds nothing more, and the lock is asked.
///
/// Thread safety: any thread may look up; inserts come one at a time, under the lock of `ClassInfo`.
final class ClassTable: @unchecked Sendable {
  // Safe because the memory is allocated once and never freed, and its words are accessed atomically:
  // an entry's info is stored before its key.
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

  /// The info of a class; nil when it was not inserted.
  @inline(__always)
  func info(of type: ObjectIdentifier) -> Unmanaged<ClassInfo>? {
    let key = UInt(bitPattern: type)
    var place = ClassTable.start(key)
    while true {
      let found = entries[place].key.load(ordering: .acquiring)
      if found == key {
        let bits = entries[place].info.load(ordering: .relaxed)
        return UnsafeRawPointer(bitPattern: bits).map { Unmanaged.fromOpaque($0) }
      }
      if found == 0 { return nil }
      place = (place + 1) & (ClassTable.capacity - 1)
    }
  }

  /// Adds a class; nothing happens when the table is three quarters full.
  func insert(_ info: ClassInfo, of type: ObjectIdentifier) {
    guard count < ClassTable.capacity * 3 / 4 else { return }
    count += 1
    let key = UInt(bitPattern: type)
    var place = ClassTable.start(key)
    while entries[place].key.load(ordering: .relaxed) != 0 {
      place = (place + 1) & (ClassTable.capacity - 1)
    }
    entries[place].info.store(
      UInt(bitPattern: Unmanaged.passUnretained(info).toOpaque()), ordering: .relaxed)
    entries[place].key.store(key, ordering: .releasing)
  }
}
