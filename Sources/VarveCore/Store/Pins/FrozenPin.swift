import Synchronization
import VarveStorage

/// A place in a program.
///
/// Thread safety: a value.
package struct CallSite: Sendable, Hashable {
  private let file: StaticString
  private let line: UInt

  package init(_ file: StaticString, _ line: UInt) {
    self.file = file
    self.line = line
  }

  /// Equal for equal places. The same place may differ from itself where the compiler has its name twice.
  package static func == (left: CallSite, right: CallSite) -> Bool {
    left.line == right.line && left.file.utf8Start == right.file.utf8Start
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(file.utf8Start)
    hasher.combine(line)
  }

  /// The module and file with the line, as `Shop/Orders.swift:12`.
  package var description: String { "\(file):\(line)" }
}

/// The version that frozen values hold: one for each call that froze something, shared by all that is reached from
/// what it gave.
///
/// Thread safety: immutable.
package final class FrozenPin: Sendable {
  let snapshot: Snapshot
  private let registry: FrozenPins
  private let place: Int

  init(_ snapshot: Snapshot, in registry: FrozenPins, at place: CallSite?) {
    self.snapshot = snapshot
    self.registry = registry
    self.place = registry.add(
      FrozenPins.Key(transactionID: snapshot.transactionID, place: place))
  }

  deinit { registry.remove(at: place) }
}

/// The pins of frozen values that there are, each with its version and place.
///
/// Thread safety: a lock guards them. It is taken where something is frozen, never where it is read.
final class FrozenPins: Sendable {
  struct Key: Hashable, Sendable {
    let transactionID: UInt64
    /// Where it was frozen; nil for what observers are handed.
    let place: CallSite?
  }
  private struct Places {
    var keys: [Key?] = []
    /// The places that are empty.
    var free: [Int] = []
  }
  /// Guards the places.
  private let places = Mutex(Places())

  /// - Returns: where the pin is kept.
  func add(_ key: Key) -> Int {
    places.withLock { places in
      if let place = places.free.popLast() {
        places.keys[place] = key
        return place
      }
      places.keys.append(key)
      return places.keys.count - 1
    }
  }

  func remove(at place: Int) {
    places.withLock { places in
      places.keys[place] = nil
      places.free.append(place)
    }
  }

  /// How many there are of each.
  ///
  /// - Complexity: O(pins).
  var all: [Key: Int] {
    places.withLock { places in
      var counts: [Key: Int] = [:]
      for case let key? in places.keys { counts[key, default: 0] += 1 }
      return counts
    }
  }
}
