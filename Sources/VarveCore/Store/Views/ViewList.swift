import Synchronization
import VarveLocks
import VarveStorage

/// The live views of a store, for the housekeeper.
///
/// Servers open a view for each request, on many threads at once. When a thread waits for a lock
/// whose owner has been preempted, both pay for a context switch. Each thread therefore has a part
/// of the list, which it shares only when there are very many threads.
///
/// Thread safety: a lock per part guards its entries.
final class ViewList: Sendable {
  private final class Part: Sendable {
    /// Guards the entries.
    let entries = Lock(Entries())
  }

  private struct Entries {
    var pins: [ViewPin?] = []
    var free: [Int] = []
  }

  private static let partBits = 6
  private let parts = (0..<1 << partBits).map { _ in Part() }
  /// The parts that have ever had a view, so that most are not looked at.
  private let used = Atomic<UInt64>(0)

  /// Adds a view.
  ///
  /// - Returns: Its index, for ``remove(at:)``.
  func insert(_ pin: ViewPin) -> Int {
    let part = ThreadIdentity.number & (1 << Self.partBits - 1)
    let index = parts[part].entries.withLock { entries in
      if let index = entries.free.popLast() {
        entries.pins[index] = pin
        return index
      }
      entries.pins.append(pin)
      if entries.pins.count == 1 { used.bitwiseOr(1 << UInt64(part), ordering: .releasing) }
      return entries.pins.count - 1
    }
    return index << Self.partBits | part
  }

  /// Removes a view, on any thread.
  func remove(at index: Int) {
    let (part, index) = (index & (1 << Self.partBits - 1), index >> Self.partBits)
    // The pin is released after the lock: ending its snapshot takes time.
    let pin = parts[part].entries.withLock { entries in
      let pin = entries.pins[index]
      entries.pins[index] = nil
      entries.free.append(index)
      return pin
    }
    withExtendedLifetime(pin) {}
  }

  /// All views. Those of one part are read at the same moment.
  var all: [ViewPin] {
    var all: [ViewPin] = []
    var rest = used.load(ordering: .acquiring)
    while rest != 0 {
      parts[rest.trailingZeroBitCount].entries.withLock { entries in
        for case let pin? in entries.pins { all.append(pin) }
      }
      rest &= rest - 1
    }
    return all
  }
}
