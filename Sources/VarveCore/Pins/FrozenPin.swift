import Synchronization
import VarveStorage

/// A place in a program.
///
/// Thread safety: a value.
package struct SourcePlace: Sendable, Hashable {
  private let file: StaticString
  private let line: UInt

  package init(_ file: StaticString, _ line: UInt) {
    self.file = file
    self.line = line
  }

  /// Equal for equal places. The same place may differ from itself where the compiler has its name twice.
  package static func == (left: SourcePlace, right: SourcePlace) -> Bool {
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
  private let key: FrozenPins.Key

  init(_ snapshot: Snapshot, in registry: FrozenPins, at place: SourcePlace?) {
    self.snapshot = snapshot
    self.registry = registry
    key = FrozenPins.Key(transactionID: snapshot.transactionID, place: place)
    registry.add(key)
  }

  deinit { registry.remove(key) }
}

/// How many pins of frozen values there are, by version and place.
///
/// Thread safety: a lock guards the counts. It is taken where something is frozen, never where it is read.
final class FrozenPins: Sendable {
  struct Key: Hashable, Sendable {
    let transactionID: UInt64
    /// Where it was frozen; nil for what observers are handed.
    let place: SourcePlace?
  }
  /// Guards the counts.
  private let counts = Mutex<[Key: Int]>([:])

  func add(_ key: Key) { counts.withLock { $0[key, default: 0] += 1 } }

  func remove(_ key: Key) {
    counts.withLock { counts in
      guard let count = counts[key] else { return }
      counts[key] = count > 1 ? count - 1 : nil
    }
  }

  var all: [Key: Int] { counts.withLock { $0 } }
}
