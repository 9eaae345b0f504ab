import VarveLocks
import VarveStorage

/// A source location in a program.
///
/// Thread safety: a value.
package struct CallSite: Sendable, Hashable {
  private let file: StaticString
  private let line: UInt

  package init(_ file: StaticString, _ line: UInt) {
    self.file = file
    self.line = line
  }

  /// Whether two locations are equal. A location may differ from itself where the compiler emitted
  /// its file name twice.
  package static func == (left: CallSite, right: CallSite) -> Bool {
    left.line == right.line && left.file.utf8Start == right.file.utf8Start
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(file.utf8Start)
    hasher.combine(line)
  }

  /// The module and file with the line, such as `Shop/Orders.swift:12`.
  package var description: String { "\(file):\(line)" }
}

/// The version that frozen values pin, or a sequence of chunks. Each call that freezes something makes
/// one, shared by all values reached from its result.
///
/// Thread safety: immutable.
package final class FrozenPin: Sendable {
  let snapshot: Snapshot
  private let registry: FrozenPins
  private let index: Int

  init(
    _ snapshot: Snapshot, in registry: FrozenPins, as kind: PinHolder.Kind, at callSite: CallSite?
  ) {
    self.snapshot = snapshot
    self.registry = registry
    index = registry.add(
      FrozenPins.Key(transactionID: snapshot.slotID, kind: kind, callSite: callSite))
  }

  deinit { registry.remove(at: index) }
}

/// The pins of the existing frozen values, each with its version and call site.
///
/// Thread safety: a lock guards the pins. It is taken when something is frozen, never when frozen
/// values are read.
final class FrozenPins: Sendable {
  struct Key: Hashable, Sendable {
    let transactionID: UInt64
    let kind: PinHolder.Kind
    /// The call site of the freeze, or nil for values that were delivered to observers.
    let callSite: CallSite?
  }
  private struct Entries {
    var keys: [Key?] = []
    /// The indices of the empty entries.
    var free: [Int] = []
  }
  /// Guards the entries.
  private let entries = Lock(Entries())

  /// - Returns: The index of the entry.
  func add(_ key: Key) -> Int {
    entries.withLock { entries in
      if let index = entries.free.popLast() {
        entries.keys[index] = key
        return index
      }
      entries.keys.append(key)
      return entries.keys.count - 1
    }
  }

  func remove(at index: Int) {
    entries.withLock { entries in
      entries.keys[index] = nil
      entries.free.append(index)
    }
  }

  /// The number of pins of each key.
  ///
  /// - Complexity: O(pins).
  var all: [Key: Int] {
    entries.withLock { entries in
      var counts: [Key: Int] = [:]
      for case let key? in entries.keys { counts[key, default: 0] += 1 }
      return counts
    }
  }
}
