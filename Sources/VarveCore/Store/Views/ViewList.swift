import Synchronization
import VarveStorage

/// The live views of a store, for the housekeeper.
///
/// Servers open a view for each request, in many threads at once, and a thread that waits for a lock which another one lost
/// the processor with costs both a switch: each thread has a part of the list, that it shares only if there are very many.
///
/// Thread safety: a lock a part guards its places.
final class ViewList: Sendable {
  private final class Part: Sendable {
    /// Guards the places.
    let places = Mutex(Places())
  }

  private struct Places {
    var pins: [ViewPin?] = []
    var free: [Int] = []
  }

  private static let partBits = 6
  private let parts = (0..<1 << partBits).map { _ in Part() }

  /// Takes a view in.
  ///
  /// - Returns: where it is, for ``remove(at:)``.
  func insert(_ pin: ViewPin) -> Int {
    let part = ThreadIdentity.number & (1 << Self.partBits - 1)
    let place = parts[part].places.withLock { places in
      if let place = places.free.popLast() {
        places.pins[place] = pin
        return place
      }
      places.pins.append(pin)
      return places.pins.count - 1
    }
    return place << Self.partBits | part
  }

  /// Lets go of a view, in any thread.
  func remove(at place: Int) {
    let (part, place) = (place & (1 << Self.partBits - 1), place >> Self.partBits)
    // The pin is released after the lock: ending its snapshot takes time.
    let pin = parts[part].places.withLock { places in
      let pin = places.pins[place]
      places.pins[place] = nil
      places.free.append(place)
      return pin
    }
    withExtendedLifetime(pin) {}
  }

  /// All views, those of one part at one moment.
  var all: [ViewPin] {
    parts.flatMap { part in part.places.withLock { $0.pins.compactMap(\.self) } }
  }
}
