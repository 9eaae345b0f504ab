import Testing
import VarveTestSupport

@testable import VarveCore

/// One version of some rows: the sort key of each object.
struct OrderedTestRows {
  var keys: [UInt64: UInt64] = [:]

  /// The number of low bits of a key that its prefix omits.
  var hiddenBits = 3

  func entry(_ id: UInt64) -> OrderedEntry {
    OrderedEntry(prefix: (keys[id] ?? 0) >> UInt64(hiddenBits), id: id)
  }

  /// The ids in order, by the keys and then by id.
  var sorted: [UInt64] {
    keys.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
  }

  /// The row comparison of an order. Fails for objects that have no row in this version, and for
  /// objects that should not be compared by their rows.
  func order(_ first: UInt64, _ second: UInt64) throws(Failure) -> ValueOrdering {
    guard let one = keys[first], let other = keys[second], first != second,
      one >> UInt64(hiddenBits) == other >> UInt64(hiddenBits)
    else { throw Failure(.fail, "Rows that are not to be compared.") }
    return ValueOrdering(one, other)
  }

  static func random(_ count: Int, keys: Int, _ random: inout SeededRandom) -> OrderedTestRows {
    var rows = OrderedTestRows()
    for number in 0..<UInt64(count) {
      // Ids from both ends, like those of integer keys next to the minimum and the maximum.
      let id = number % 2 == 0 ? number : .max - number
      rows.keys[id] = UInt64(random.below(keys))
    }
    return rows
  }

  /// An order of all objects, built at once.
  func orderedIDs() throws -> OrderedIDs {
    try OrderedIDs(sorting: keys.keys.map(entry), by: order)
  }
}

/// The failure that a call throws; nil when it throws nothing or another error.
func thrownFailure<R>(_ call: () throws -> R) -> Failure? {
  do {
    _ = try call()
    return nil
  } catch {
    return error as? Failure
  }
}

extension OrderedIDs {
  func expectSound(_ comment: Comment) {
    tree.expectSound(comment, sameKey: ==) {
      $0.count <= OrderedLeaf.maximumEntries
    }
  }
}
