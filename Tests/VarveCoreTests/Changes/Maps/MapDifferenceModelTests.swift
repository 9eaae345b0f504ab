import Foundation
import Testing
import VarveEncoding
import VarveStorage
import VarveTestSupport

@testable import VarveCore

/// Random changes of maps, compared with the same changes of Swift dictionaries.
@Suite struct MapDifferenceModelTests {
  private struct State {
    let snapshot: Snapshot
    let entries: [String: Value]
  }

  private let long = String(repeating: "long", count: 130)

  @Test func changesTransformEachVersionIntoEachOther() throws {
    var random = SeededRandom()
    let store = try ListTestStore()
    var entries: [String: Value] = [:]
    var states: [State] = []
    for step in 0..<120 {
      let snapshot = try store.writeMaps { writer in
        for _ in 0..<random.pick([0, 1, 3, 20, 200]) { try change(&entries, writer, &random) }
        if random.oneIn(15) {
          for key in entries.keys { try writer.remove(key) }
          entries = [:]
        }
        // Maps with adjacent ids, whose entries are on the same pages.
        for id in [MapWriter.mapID - 1, MapWriter.mapID + 1] {
          try writer.set(key(&random), value(&random), mapID: id)
        }
      }
      states.append(State(snapshot: snapshot, entries: entries))
      if states.count > 5 { states.removeFirst() }
      let last = states[states.count - 1]
      for other in states {
        try check(other, last, "step \(step), \(random)")
        try check(last, other, "step \(step) back, \(random)")
      }
    }
  }

  private func change(
    _ entries: inout [String: Value], _ writer: MapWriter, _ random: inout SeededRandom
  ) throws {
    if random.oneIn(3), let key = entries.keys.sorted().randomElement(using: &random) {
      entries[key] = nil
      return try writer.remove(key)
    }
    let (key, value) = (key(&random), value(&random))
    entries[key] = value
    try writer.set(key, value)
  }

  private func key(_ random: inout SeededRandom) -> String {
    let number = random.below(400)
    switch number % 5 {
    case 0: return long + String(number)
    case 1: return String(number) + "\0"
    default: return random.pick(["", "k", "é"]) + String(number)
    }
  }

  private func value(_ random: inout SeededRandom) -> Value {
    switch random.below(8) {
    case 0: .null
    case 1: .int(Int64(random.below(3)))
    case 2: .double(random.pick([0, -0.0, .nan, 1.5]))
    case 3: .string(random.pick(["", "a", "b"]))
    case 4: .string(String(repeating: random.pick(["l", "m"]), count: random.pick([600, 5000])))
    case 5: .data(Data(repeating: 1, count: random.pick([3, 513, 2000])))
    case 6: .link(classID: 3, objectID: UInt64(random.below(3)))
    default: .bool(random.oneIn(2))
    }
  }

  private func check(_ old: State, _ new: State, _ comment: String) throws {
    let map = MapDifference(mapID: MapWriter.mapID)
    let found = try map.changes(from: old.snapshot, to: new.snapshot)
    var expected = KeyChanges()
    for (key, value) in old.entries {
      if let other = new.entries[key] {
        if !isStoredAlike(value, other) { expected.modifications.append(key) }
      } else {
        expected.deletions.append(key)
      }
    }
    expected.insertions = new.entries.keys.filter { old.entries[$0] == nil }
    expected.sort()
    #expect(found == expected, "\(comment)")
    let isEmpty = try map.isEmpty(from: old.snapshot, to: new.snapshot)
    #expect(isEmpty == expected.isEmpty, "\(comment)")
  }

  private func isStoredAlike(_ a: Value, _ b: Value) -> Bool {
    if case .double(let left) = a, case .double(let right) = b {
      return left.bitPattern == right.bitPattern
    }
    return a == b
  }
}
