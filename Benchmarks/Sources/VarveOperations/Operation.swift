import Foundation
import Glibc
import Varve

/// An operation that is guarded against regressions.
struct Operation: Sendable {
  let name: String

  /// The number of operations in a measured run.
  let count: Int

  /// Whether the operation must not allocate, regardless of a file of thresholds.
  var allocatesNothing = false

  /// Whether the cost depends on how long the operation takes: it includes periodic work of the
  /// housekeeper, or of commits.
  var isTimed = false

  /// Runs the operation a number of times on a store that ``OperationStore`` has filled, and
  /// returns a number that depends on everything that was read.
  let run: @Sendable (OperationStore, Int) throws -> Int

  static let all: [Operation] = [
    Operation(name: "read-integer", count: 200_000, allocatesNothing: true) { store, count in
      let item = try store.item(7)
      return sum(count) { _ in item.count }
    },
    Operation(name: "read-fixed-sizes", count: 10_000, allocatesNothing: true) { store, count in
      let sizes = try store.fixedSizes()
      return sum(count) { _ in sizes.sum }
    },
    Operation(name: "read-string", count: 20_000) { store, count in
      let item = try store.item(7)
      return sum(count) { _ in item.name.utf8.count }
    },
    Operation(name: "lend-string", count: 20_000, allocatesNothing: true) { store, count in
      let item = try store.item(7)
      return sum(count) { _ in item.withBytes(\.name) { $0.byteCount } }
    },
    Operation(name: "look-up-integer-key", count: 10_000) { store, count in
      sum(count) {
        store.realm.object(ofType: Item.self, forPrimaryKey: $0 * 7919 % store.items)?.count ?? 0
      }
    },
    Operation(name: "look-up-string-key", count: 10_000) { store, count in
      let keys = (0..<100).map { "label \($0 * 37 % store.labels)" }
      return sum(count) {
        store.realm.object(ofType: Labelled.self, forPrimaryKey: keys[$0 % 100])?.count ?? 0
      }
    },
    Operation(name: "iterate", count: 100_000) { store, count in
      sum(count / store.items) { pass in
        var total = pass
        for item in store.realm.objects(Item.self) { total &+= item.count }
        return total
      }
    },
    Operation(name: "scan-row", count: 200_000) { store, count in
      // A scan visits all rows, so the number of scans is chosen to visit `count` rows.
      sum(count / store.items) {
        store.realm.objects(Item.self).where { $0.weight > 100 }.count + $0
      }
    },
    Operation(name: "sum-row", count: 200_000) { store, count in
      sum(count / store.items) { store.realm.objects(Item.self).sum(of: \.count) &+ $0 }
    },
    Operation(name: "count-by-index", count: 500) { store, count in
      sum(count) { rank in store.realm.objects(Item.self).where { $0.rank == rank }.count }
    },
    Operation(name: "list-read", count: 100_000) { store, count in
      let numbers = try store.collections().numbers
      return sum(count) { numbers[$0 * 7919 % store.elements] }
    },
    Operation(name: "map-read", count: 10_000) { store, count in
      let numbersByKey = try store.collections().numbersByKey
      let keys = (0..<100).map { "key \($0 * 37 % store.elements)" }
      return sum(count) { numbersByKey[keys[$0 % 100]] ?? 0 }
    },
    Operation(name: "map-iterate", count: 100_000) { store, count in
      let numbersByKey = try store.collections().numbersByKey
      return sum(count / store.elements) { pass in
        var total = pass
        for entry in numbersByKey { total &+= entry.value &+ entry.key.utf8.count }
        return total
      }
    },
    Operation(name: "open-view", count: 5000) { store, count in
      try sum(count) { _ in try Realm(configuration: store.configuration).isFrozen ? 0 : 1 }
    },
    Operation(name: "freeze", count: 5000) { store, count in
      sum(count) { _ in store.realm.freeze().isFrozen ? 1 : 0 }
    },
    Operation(name: "insert", count: 5000) { store, count in
      try store.realm.write {
        sum(count) {
          store.realm.add(Item(id: store.items + $0))
          return 1
        }
      }
    },
    Operation(name: "insert-values", count: 5000) { store, count in
      try store.realm.write {
        store.realm.insert(0..<count) {
          Item.New(id: store.items + $0, name: "an item", count: $0, rank: $0, weight: 0.5)
        }
      }
    },
    Operation(name: "update", count: 5000) { store, count in
      let item = try store.item(7)
      return try store.realm.write {
        sum(count) {
          item.count = $0
          return 1
        }
      }
    },
    Operation(name: "list-append", count: 50_000) { store, count in
      let numbers = try store.collections().numbers
      return try store.realm.write {
        sum(count) {
          numbers.append($0)
          return 1
        }
      }
    },
    Operation(name: "list-insert", count: 5000) { store, count in
      let numbers = try store.collections().numbers
      return try store.realm.write {
        sum(count) {
          numbers.insert($0, at: $0 * 7919 % store.elements)
          return 1
        }
      }
    },
    Operation(name: "map-insert", count: 5000) { store, count in
      let numbersByKey = try store.collections().numbersByKey
      return try store.realm.write {
        sum(count) {
          numbersByKey["new \($0)"] = $0
          return 1
        }
      }
    },
    Operation(name: "max-by-index-in-write", count: 500) { store, count in
      try store.changing(count) { _ in store.realm.objects(Item.self).max(of: \.rank) ?? 0 }
    },
    Operation(name: "first-by-index-in-write", count: 500) { store, count in
      try store.changing(count) { _ in
        store.realm.objects(Item.self).sorted(by: \.rank, ascending: false).first?.count ?? 0
      }
    },
    Operation(name: "count-by-index-in-write", count: 50) { store, count in
      try store.changing(count) { rank in
        store.realm.objects(Item.self).where { $0.rank == rank }.count
      }
    },
    Operation(name: "commit", count: 500) { store, count in
      let item = try store.item(7)
      return try sum(count) { number in
        try store.realm.write { item.count = number }
        return 1
      }
    },
    Operation(name: "commit-beside-idle-realms", count: 2000, isTimed: true) { store, count in
      let held = try (0..<60).map { _ in try Realm(configuration: store.configuration) }
      // All of them are idle after the idle limit.
      usleep(500_000)
      let item = try store.item(7)
      let commits = try sum(count) { number in
        try store.realm.write { item.count = number }
        return 1
      }
      return held.reduce(commits) { $0 + ($1.isFrozen ? 1 : 0) }
    },
    Operation(name: "open-store", count: 100, isTimed: true) { _, count in
      let stores = try ManyStores(count: 200, isUnderValgrind: true)
      try stores.open(count)
      try stores.close(count)
      try stores.remove()
      return count
    },
  ]

  /// The sum of the body's results for 0, 1, … up to `count` values.
  private static func sum(_ count: Int, _ body: (Int) throws -> Int) rethrows -> Int {
    var total = 0
    for index in 0..<count { total &+= try body(index) }
    return total
  }
}
