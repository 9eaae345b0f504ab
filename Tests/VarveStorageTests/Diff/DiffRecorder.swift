import Glibc
import Testing

@testable import VarveStorage

/// A copied change. Two changes are equal when they have the same bytes at the same addresses: two
/// ways of comparing must return the same changes.
struct RecordedChange: Equatable, CustomStringConvertible {
  let key: [UInt8]
  let old: [UInt8]?
  let new: [UInt8]?
  private let addresses: InlineArray<6, Int>

  init(_ change: EntryChange) {
    key = Array(change.key)
    old = change.old.map { Array($0) }
    new = change.new.map { Array($0) }
    addresses = [
      Int(bitPattern: change.key.baseAddress), change.key.count,
      Int(bitPattern: change.old?.baseAddress), change.old?.count ?? -1,
      Int(bitPattern: change.new?.baseAddress), change.new?.count ?? -1,
    ]
  }

  static func == (left: RecordedChange, right: RecordedChange) -> Bool {
    left.addresses.indices.allSatisfy { left.addresses[$0] == right.addresses[$0] }
  }

  var id: UInt64 { key.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) } }

  var description: String {
    let values = [old, new].map { $0.map { "\($0.count) bytes" } ?? "nothing" }
    return "\(key): \(values[0]) to \(values[1])"
  }
}

extension Snapshot {
  func recordedChanges(
    to new: Snapshot, in table: Table, _ range: KeyRange = .all
  ) throws -> [RecordedChange] {
    var changes = try changes(to: new, in: table, range)
    var result: [RecordedChange] = []
    while let change = try changes.next() { result.append(RecordedChange(change)) }
    return result
  }

  /// Like `recordedChanges`, but found by walking all entries.
  func walkedChanges(
    to new: Snapshot, in table: Table, _ range: KeyRange = .all
  ) throws -> [RecordedChange] {
    var result: [RecordedChange] = []
    let merge = EntryMerge(self, new, table, KeyBounds.make(range, of: table))
    while let change = merge.next() { result.append(RecordedChange(change)) }
    return result
  }

  /// The ids of the changes in a table with integer keys, each prefixed by its kind: `+`, `-` or
  /// `*`.
  func changedIDs(
    to new: Snapshot, in table: Table, _ range: KeyRange = .all
  ) throws -> [String] {
    var changes = try changes(to: new, in: table, range)
    var result: [String] = []
    while let change = try changes.next() {
      let sign =
        switch change.kind {
        case .inserted: "+"
        case .deleted: "-"
        case .modified: "*"
        }
      result.append("\(sign)\(change.id)")
    }
    return result
  }
}

/// Whether two values are equal. Faster in a debug build than `==`.
func isSame(_ left: [UInt8]?, _ right: [UInt8]?) -> Bool {
  guard let left, let right, left.count == right.count else { return left == right }
  return memcmp(left, right, left.count) == 0
}

/// Whether one key precedes another in a table.
func precedes(_ left: [UInt8], _ right: [UInt8], in table: Table) -> Bool {
  guard table.hasIntegerKeys else { return left.lexicographicallyPrecedes(right) }
  return left.withUnsafeBytes { left in
    right.withUnsafeBytes {
      left.loadUnaligned(as: UInt64.self) < $0.loadUnaligned(as: UInt64.self)
    }
  }
}

/// Puts rows whose contents depend on their id.
func putRows(_ environment: Environment, _ ids: Range<UInt64>) throws -> Snapshot {
  try environment.write { transaction in
    _ = try transaction.openTable(dogs, create: true)
    for id in ids { try transaction.put(dogs, id: id, rowContent(id)) }
  }
}

func rowContent(_ id: UInt64) -> [UInt8] {
  [UInt8](repeating: UInt8(truncatingIfNeeded: id), count: 20 + Int(id % 50))
}
