import Synchronization

/// The slots of the key paths that a program has used, found by the addresses of the key paths.
///
/// A key path in the source code is one object for the whole run of the program. Finding it by its
/// value, for which all its components are hashed and compared, takes 2,000 instructions. The number
/// of key paths is limited, because they are retained: a program that makes key paths at run time
/// would otherwise retain each of them.
///
/// Thread safety: any thread. Lookups take no lock.
struct UsedKeyPaths: ~Copyable, @unchecked Sendable {
  /// The property that a key path refers to.
  struct Property {
    let slot: Int
    /// Whether the class lists the key path. Otherwise it may be that of a computed property.
    let isListed: Bool
  }

  // Safe because the words are atomic, their memory lives as long as this value, and an entry is
  // constant and stays until the end.

  private final class Entry: @unchecked Sendable {
    // Safe because key paths are immutable.
    let keyPath: AnyKeyPath
    let property: Property

    init(_ keyPath: AnyKeyPath, _ property: Property) {
      self.keyPath = keyPath
      self.property = property
    }
  }

  private static let capacity = 64
  /// The number of words that may contain a key path.
  private static let probes = 4
  /// The addresses of the entries, each with a retain; 0 for none.
  private let words: UnsafeMutablePointer<Atomic<UInt>>

  init() {
    words = .allocate(capacity: Self.capacity)
    for index in 0..<Self.capacity { (words + index).initialize(to: Atomic(0)) }
  }

  deinit {
    for index in 0..<Self.capacity {
      Self.entry(words[index].load(ordering: .acquiring))?.release()
    }
    words.deinitialize(count: Self.capacity)
    words.deallocate()
  }

  /// The property of a key path; nil if it was not inserted.
  subscript(keyPath: AnyKeyPath) -> Property? {
    var index = Self.index(of: keyPath)
    for _ in 0..<Self.probes {
      guard let entry = Self.entry(words[index].load(ordering: .acquiring)) else { return nil }
      let property = entry._withUnsafeGuaranteedRef { $0.keyPath === keyPath ? $0.property : nil }
      if let property { return property }
      index = (index + 1) % Self.capacity
    }
    return nil
  }

  /// Inserts a key path, unless there is no room.
  func insert(_ keyPath: AnyKeyPath, _ property: Property) {
    let entry = Unmanaged.passRetained(Entry(keyPath, property))
    var index = Self.index(of: keyPath)
    for _ in 0..<Self.probes {
      let (isDone, current) = words[index].compareExchange(
        expected: 0, desired: UInt(bitPattern: entry.toOpaque()), ordering: .acquiringAndReleasing)
      if isDone { return }
      // Another thread may have inserted it.
      if Self.entry(current)?._withUnsafeGuaranteedRef({ $0.keyPath === keyPath }) == true { break }
      index = (index + 1) % Self.capacity
    }
    entry.release()
  }

  @inline(__always)
  private static func index(of keyPath: AnyKeyPath) -> Int {
    // The multiplication mixes the low bits, of which alignment leaves few different, into the high
    // ones.
    let address = UInt(bitPattern: Unmanaged.passUnretained(keyPath).toOpaque())
    return Int((address &* 0x9E37_79B9_7F4A_7C15) >> 58)
  }

  @inline(__always)
  private static func entry(_ bits: UInt) -> Unmanaged<Entry>? {
    // Safe because the word is 0 or an entry that was retained when it was stored.
    UnsafeRawPointer(bitPattern: bits).map { Unmanaged.fromOpaque($0) }
  }
}
