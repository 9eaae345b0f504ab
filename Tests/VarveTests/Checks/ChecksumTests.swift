import Foundation
import Testing
import Varve
import VarveCore
import VarveJSONLines
import VarveStorage

/// Changed bytes, and entries under other keys, that only a checksum reveals. A check names them, an
/// export throws, and a salvage reports what it leaves out.
@Suite struct ChecksumTests {
  /// What is found in a damaged store.
  private struct Findings {
    var problems: [StoreCheck.Problem] = []
    var salvage: Realm.SalvageReport

    var places: [String] { problems.map(\.place) }
    var kinds: Set<StoreCheck.Problem.Kind> { Set(problems.map(\.kind)) }
  }

  /// Fills a store, and changes it below the library.
  private func findings(
    _ fill: (Realm) -> Void, _ change: (WriteTransaction) throws -> Void
  ) throws -> Findings {
    let store = try TemporaryRealm()
    defer { store.remove() }
    let realm = try store.open()
    try realm.write { fill(realm) }
    try store.check()
    try store.edit(change)
    try realm.refresh()
    let text = URL(filePath: store.path + ".jsonl")
    expectError(.corrupted) { try realm.exportJSONLines(to: text) }
    let problems = try store.report().problems
    try Realm.close(store.configuration)
    let salvage = try Realm.salvage(
      from: URL(filePath: store.path), to: URL(filePath: store.path + ".rescued"))
    #expect(!salvage.isComplete, "\(salvage)")
    return Findings(problems: problems, salvage: salvage)
  }

  /// Exchanges the values of two entries.
  private func exchange(
    _ table: Table, _ first: Int, _ second: Int, _ transaction: WriteTransaction
  ) throws {
    let entries = transaction.entries(table)
    try #require(entries.count > max(first, second))
    let (left, right) = (entries[first], entries[second])
    try #require(left.value.count == right.value.count)
    try transaction.put(StoredEntry(key: left.key, value: right.value), table)
    try transaction.put(StoredEntry(key: right.key, value: left.value), table)
  }

  // MARK: Rows and lists

  @Test func exchangedRowsAreFound() throws {
    let found = try findings { realm in
      for id in 1...3 { realm.add(Coin(id, worth: 10 * id)) }
    } _: { transaction in
      try exchange(.objects(ofClass: 1), 0, 2, transaction)
    }
    #expect(found.places == ["Coin 1", "Coin 3"] && found.kinds == [.badChecksum])
    #expect(found.salvage.rescuedCount == 1 && found.salvage.lostCount == 2, "\(found.salvage)")
  }

  /// Nodes of two lists.
  @Test func exchangedListsAreFound() throws {
    let found = try findings { realm in
      for (key, start) in [("a", 0), ("b", 1000)] {
        let node = Node(value: ["key": key])
        node.numbers.append(objectsIn: (start..<start + 100).map(Int?.some))
        realm.add(node)
      }
    } _: { transaction in
      try exchange(.lists, 0, 1, transaction)
    }
    #expect(found.places == ["Node \"a\".numbers", "Node \"b\".numbers"])
    #expect(found.kinds == [.damagedList])
    #expect(found.salvage.rescuedCount == 2 && found.salvage.lostElementCount == 200)
  }

  /// Leaves of one list.
  @Test func exchangedLeavesAreFound() throws {
    let found = try findings { realm in
      let node = Node(value: ["key": "a"])
      node.numbers.append(objectsIn: (0..<2000).map(Int?.some))
      realm.add(node)
    } _: { transaction in
      // The first entry is the root.
      let leaves = transaction.entries(.lists).dropFirst()
      let second = try #require(
        leaves.dropFirst().firstIndex { $0.value.count == leaves.first?.value.count })
      try exchange(.lists, 1, second, transaction)
    }
    #expect(Set(found.places) == ["Node \"a\".numbers"] && found.problems.count == 2)
    #expect(found.kinds == [.damagedList])
    #expect(found.salvage.rescuedCount == 1 && found.salvage.lostElementCount > 0)
  }

  // MARK: Blobs

  /// Changes a bit of an entry's value.
  private func flip(
    _ table: Table, _ entry: Int, at index: Int, _ transaction: WriteTransaction
  ) throws {
    let entries = transaction.entries(table)
    try #require(entry < entries.count && index < entries[entry].value.count)
    var changed = entries[entry]
    changed.value[index] ^= 4
    try transaction.put(changed, table)
  }

  /// The property of the blob, its place, and the number of lost values.
  @Test(arguments: [
    ("data", "Node \"a\".data", 1), ("texts", "Node \"a\".texts[1]", 0),
    ("words", "Node \"a\".words[\"w\"]", 0),
  ])
  func changedBytesOfBlobsAreFound(_ name: String, _ place: String, _ values: Int) throws {
    // Two chunks.
    let text = String(repeating: "abcde", count: 1000)
    for (chunk, index) in [(0, 0), (0, 4079), (1, 0), (1, 919)] {
      let found = try findings { realm in
        let node = Node(value: ["key": "a"])
        switch name {
        case "data": node.data = Data(text.utf8)
        case "texts": node.texts.append(objectsIn: ["short", text, "other"])
        default: node.words.set([("v", "short"), ("w", text)])
        }
        realm.add(node)
      } _: { transaction in
        try flip(.blobs, chunk, at: index, transaction)
      }
      #expect(found.places == [place] && found.kinds == [.damagedBlob], "\(chunk) \(index)")
      let salvage = found.salvage
      #expect(salvage.rescuedCount == 1 && salvage.lostValueCount == values, "\(salvage)")
      #expect(salvage.lostElementCount == 1 - values, "\(salvage)")
    }
  }

  @Test func changedBytesOfRequiredValueAreFound() throws {
    let found = try findings { realm in
      realm.create(BlobOwner.self, value: ["text": String(repeating: "t", count: 600)])
    } _: { transaction in
      try flip(.blobs, 0, at: 300, transaction)
    }
    #expect(found.places == ["BlobOwner number 1.text"] && found.kinds == [.damagedBlob])
    #expect(found.salvage.rescuedCount == 0 && found.salvage.lostCount == 1)
  }
}
