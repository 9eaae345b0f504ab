import CVarve
import Glibc

/// What the page remembers of commits: when they were made, and how far the file reached then.
///
/// Of `places` commits in a row each is remembered, before them every second one, then every fourth: each level has
/// as many places as the first, and is reached by half as many commits. So the time of a commit long ago is known
/// to an eighth of its distance, and a commit writes two places on average.
///
/// The layout is drawn in `Docs/Format.md`, “Signal page”.
extension SignalPage {
  private static let levels: UInt64 = 24
  private static let places: UInt64 = 8
  private static let placeBytes = 16

  /// A commit as the page remembers it.
  struct CommitMark {
    /// The id of LMDB's transaction.
    let transactionID: UInt64
    /// When it was made, in nanoseconds since 1970.
    let time: UInt64
    /// The last page of the file then.
    let lastPage: UInt64
  }

  /// Remembers a commit. To be called with the write lock held.
  ///
  /// - Parameters:
  ///   - transactionID: The id of LMDB's transaction.
  ///   - lastPage: The last page in use.
  func noteCommit(_ transactionID: UInt64, lastPage: UInt64) {
    let time = Self.timeSinceBoot
    let highest = min(UInt64(transactionID.trailingZeroBitCount), Self.levels - 1)
    for level in 0...highest {
      let place = base + Self.offset(level, transactionID)
      // A reader looks at the id before and after the rest.
      varve_store32(place + 8, 0)
      varve_store64(place, time)
      varve_store32(place + 12, UInt32(clamping: lastPage))
      varve_store32(place + 8, UInt32(truncatingIfNeeded: transactionID))
    }
  }

  private static func offset(_ level: UInt64, _ transactionID: UInt64) -> Int {
    Offset.commits + Int((level * places + (transactionID >> level) % places)) * placeBytes
  }

  /// The last remembered commit up to a transaction, and the first one from there on.
  ///
  /// - Parameters:
  ///   - transactionID: The id of a transaction.
  ///   - newest: The id of the newest one.
  /// - Returns: nil where nothing is known.
  func commits(
    around transactionID: UInt64, newest: UInt64
  ) -> (before: CommitMark?, after: CommitMark?) {
    var before: CommitMark?
    var after: CommitMark?
    for place in 0..<Int(Self.levels * Self.places) {
      guard let mark = mark(Offset.commits + place * Self.placeBytes, newest: newest) else {
        continue
      }
      if mark.transactionID <= transactionID,
        mark.transactionID >= before?.transactionID ?? 0
      {
        before = mark
      }
      if mark.transactionID >= transactionID,
        mark.transactionID <= after?.transactionID ?? .max
      {
        after = mark
      }
    }
    return (before, after)
  }

  private func mark(_ offset: Int, newest: UInt64) -> CommitMark? {
    let place = base + offset
    let id = varve_load32(place + 8)
    guard id != 0 else { return nil }
    let time = varve_load64(place)
    let lastPage = varve_load32(place + 12)
    varve_load_fence()
    guard varve_load32(place + 8) == id else { return nil }
    // The lower half of an id that is not newer than the newest one.
    let distance = UInt32(truncatingIfNeeded: newest) &- id
    guard distance < 1 << 31, UInt64(distance) < newest else { return nil }
    return CommitMark(
      transactionID: newest - UInt64(distance), time: time, lastPage: UInt64(lastPage))
  }

  /// The time now, in nanoseconds since the boot of the machine, which the page does not outlive: nobody sets this
  /// clock.
  static var timeSinceBoot: UInt64 { time(CLOCK_BOOTTIME) }

  /// The time now, in nanoseconds since 1970, for people.
  static var timeOfDay: UInt64 { time(CLOCK_REALTIME) }

  private static func time(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
