import CVarve
import Glibc

/// The id of the version that LMDB gives to readers, read from its lock file.
///
/// LMDB stores the id when it has written the meta page of a commit, which need not be on the disk
/// yet, and reads it when a read transaction begins (`mti_txnid` in mdb.c). Its functions return it
/// only by beginning a transaction, which takes a lock of the process. The word is therefore read in
/// LMDB's own map of the file, if the map is found and its layout is known. LMDB's structures tell
/// where it is, if they are known (``EngineMemory``); the list of the mappings of the process does
/// too, but reading it takes as long as the process has mappings.
///
/// Thread safety: any thread, for as long as LMDB has the file open. Processes: written by the
/// committing process.
struct VisibleVersion: Sendable {
  // Safe because LMDB maps the file until it closes it, which is after the last snapshot has ended,
  // and the word is only accessed atomically.
  nonisolated(unsafe) private let word: UnsafeRawPointer

  @inline(__always)
  var id: UInt64 { varve_load64(word) }

  /// The head of the lock file, followed by a lock and the word.
  private enum Layout {
    static let magic = 0
    static let format = 4
    static let magicValue: UInt32 = 0xBEEF_C0DE
    /// The version of the layout, with the flag that each process has a lock of its own; other
    /// locks have another head.
    static let formatValue: UInt32 = 0x1_0001
    static let word = (8 + MemoryLayout<pthread_mutex_t>.size + 7) & ~7
    static let byteCount = 128
  }

  /// Finds the map of a lock file, and compares its content with the result of LMDB. Returns nil if
  /// either is unknown.
  ///
  /// - Parameters:
  ///   - lockPath: The lock file, which LMDB has open.
  ///   - memory: What is known of LMDB's structures.
  ///   - visibleID: A closure that begins a read transaction and returns its id.
  /// - Throws: Any error thrown by `visibleID`.
  init?(
    lockPath: String, _ memory: EngineMemory?, _ visibleID: () throws(StorageError) -> UInt64
  ) throws(StorageError) {
    guard let head = memory?.lockFileMap ?? Self.listedMap(lockPath),
      varve_load32(head + Layout.magic) == Layout.magicValue,
      varve_load32(head + Layout.format) == Layout.formatValue
    else { return nil }
    word = head + Layout.word
    // Other processes may commit between the reads.
    for _ in 0..<100 {
      let before = id
      let expected = try visibleID()
      if id == before {
        if expected == before { return }
        return nil
      }
    }
    return nil
  }

  /// Finds the map of a lock file in the list of the mappings of the process.
  static func listedMap(_ lockPath: String) -> UnsafeRawPointer? {
    ProcessMaps()?.address(ofFile: lockPath, byteCount: Layout.byteCount)
      .flatMap { UnsafeRawPointer(bitPattern: $0) }
  }
}
