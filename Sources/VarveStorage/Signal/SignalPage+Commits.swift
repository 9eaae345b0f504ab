import CVarve
import Glibc

/// The recent commits: when they were made, and the size of the file then.
///
/// Each of the last `entriesPerLevel` commits is recorded, before them every second one, then every
/// fourth: each level has as many entries as the first, and receives half as many commits. The time
/// of an old commit is therefore accurate to one eighth of its distance, and a commit writes two
/// entries on average.
///
/// The layout is drawn in `Docs/Format.md`, “Signal page”.
extension SignalPage {
  private static let levels: UInt64 = 24
  private static let entriesPerLevel: UInt64 = 8
  private static let entryBytes = 16

  /// A recorded commit.
  struct CommitRecord {
    /// The id of the LMDB transaction.
    let transactionID: UInt64
    /// The time of the commit, in nanoseconds since boot.
    let time: UInt64
    /// The last page of the file after the commit.
    let lastPage: UInt64
  }

  /// Records a commit. Call it with the write lock held.
  ///
  /// - Parameters:
  ///   - transactionID: The id of the LMDB transaction.
  ///   - lastPage: The last page in use.
  func noteCommit(_ transactionID: UInt64, lastPage: UInt64) {
    let time = Self.timeSinceBoot
    let highest = min(UInt64(transactionID.trailingZeroBitCount), Self.levels - 1)
    for level in 0...highest {
      let entry = base + Self.offset(level, transactionID)
      // A reader compares the id before and after reading the rest.
      varve_store32(entry + 8, 0)
      varve_store64(entry, time)
      varve_store32(entry + 12, UInt32(clamping: lastPage))
      varve_store32(entry + 8, UInt32(truncatingIfNeeded: transactionID))
    }
  }

  private static func offset(_ level: UInt64, _ transactionID: UInt64) -> Int {
    Offset.commits + Int((level * entriesPerLevel + (transactionID >> level) % entriesPerLevel))
      * entryBytes
  }

  /// Returns the last recorded commit up to a transaction, and the first recorded one after it.
  ///
  /// - Parameter newest: The id of the newest transaction.
  /// - Returns: The commits; nil if none is recorded.
  func commits(
    around transactionID: UInt64, newest: UInt64
  ) -> (before: CommitRecord?, after: CommitRecord?) {
    var before: CommitRecord?
    var after: CommitRecord?
    for entry in 0..<Int(Self.levels * Self.entriesPerLevel) {
      guard let record = record(Offset.commits + entry * Self.entryBytes, newest: newest) else {
        continue
      }
      if record.transactionID <= transactionID,
        record.transactionID >= before?.transactionID ?? 0
      {
        before = record
      }
      if record.transactionID >= transactionID,
        record.transactionID <= after?.transactionID ?? .max
      {
        after = record
      }
    }
    return (before, after)
  }

  private func record(_ offset: Int, newest: UInt64) -> CommitRecord? {
    let entry = base + offset
    let id = varve_load32(entry + 8)
    guard id != 0 else { return nil }
    let time = varve_load64(entry)
    let lastPage = varve_load32(entry + 12)
    varve_load_fence()
    guard varve_load32(entry + 8) == id else { return nil }
    // The lower half of an id that is not newer than the newest one.
    let distance = UInt32(truncatingIfNeeded: newest) &- id
    guard distance < 1 << 31, UInt64(distance) < newest else { return nil }
    return CommitRecord(
      transactionID: newest - UInt64(distance), time: time, lastPage: UInt64(lastPage))
  }

  /// The time since the boot of the machine in nanoseconds. The page does not outlive a boot, and
  /// this clock is never set.
  static var timeSinceBoot: UInt64 { time(CLOCK_BOOTTIME) }

  /// The time since 1970 in nanoseconds, for display.
  static var timeOfDay: UInt64 { time(CLOCK_REALTIME) }

  private static func time(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
