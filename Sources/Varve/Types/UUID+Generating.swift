public import Foundation
import Synchronization

extension UUID {
  /// Returns a new identifier that is ordered by the time of its creation: version 7 of
  /// [RFC 9562](https://www.rfc-editor.org/rfc/rfc9562#name-uuid-version-7).
  ///
  /// ```swift
  /// @Persisted(primaryKey: true) var id: UUID = .v7()
  /// ```
  ///
  /// As a primary key, it is added at the end of the index, so that a write of many objects changes
  /// few pages. It consists of the time in milliseconds, 12 bits of a fraction of a millisecond,
  /// and 62 random bits. Each identifier is greater than those that the process generated before,
  /// also when the clock is set back. Identifiers of different processes are ordered by their
  /// clocks.
  ///
  /// The time of creation is readable in the identifier. To conceal it, use `UUID()`.
  ///
  /// Thread safety: any thread may call it. No lock is taken.
  public static func v7() -> UUID { TimeOrderedIdentifiers.shared.next(at: Date()) }
}

/// Generates ascending identifiers of version 7 of RFC 9562. The clock has more than its
/// milliseconds in them: method 3 of section 6.2.
///
/// Thread safety: any thread may use it.
final class TimeOrderedIdentifiers: Sendable {
  static let shared = TimeOrderedIdentifiers()

  /// The time of the last identifier, in units of 1/4096 ms since 1970.
  private let lastTick = Atomic<UInt64>(0)

  /// Returns the identifier for a time or, if there is a later one already, for the unit of time
  /// after it.
  func next(at time: Date) -> UUID {
    let tick = nextTick(UInt64(max(0, time.timeIntervalSince1970 * 1000 * 4096)))
    let version: UInt64 = 0x7000
    let variant: UInt64 = 0x8000_0000_0000_0000
    let high = (tick >> 12) << 16 | version | (tick & 0xfff)
    let low = variant | UInt64.random(in: 0...(.max >> 2))
    func byte(_ word: UInt64, _ index: UInt64) -> UInt8 {
      UInt8(truncatingIfNeeded: word >> (56 - 8 * index))
    }
    return UUID(
      uuid: (
        byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5),
        byte(high, 6), byte(high, 7), byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3),
        byte(low, 4), byte(low, 5), byte(low, 6), byte(low, 7)
      ))
  }

  private func nextTick(_ now: UInt64) -> UInt64 {
    var last = lastTick.load(ordering: .relaxed)
    while true {
      let next = max(now, last + 1)
      let (exchanged, original) = lastTick.weakCompareExchange(
        expected: last, desired: next, ordering: .relaxed)
      if exchanged { return next }
      last = original
    }
  }
}
