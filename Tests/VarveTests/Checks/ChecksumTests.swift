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
    let problems: [StoreCheck.Problem]
    do {
      let realm = try store.open()
      try realm.write { fill(realm) }
      try store.check()
      try store.edit(change)
      try realm.refresh()
      let text = URL(filePath: store.path + ".jsonl")
      expectError(.corrupted) { try realm.exportJSONLines(to: text) }
      problems = try store.report().problems
      try Realm.close(store.configuration)
    }
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
      let tables = (1...9).map { Table.objects(ofClass: $0) }
      let table = try #require(tables.first { transaction.count($0) == 3 })
      try exchange(table, 0, 2, transaction)
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
      for letter in ["t", "u"] {
        realm.create(BlobOwner.self, value: ["text": String(repeating: letter, count: 600)])
      }
    } _: { transaction in
      try flip(.blobs, 0, at: 300, transaction)
    }
    #expect(found.places == ["BlobOwner number 1.text"] && found.kinds == [.damagedBlob])
    #expect(found.salvage.rescuedCount == 1 && found.salvage.lostCount == 1)
  }

  // MARK: Maps and sets

  /// A node with a map outside its row.
  private func addWords(_ realm: Realm) {
    let node = Node(value: ["key": "a"])
    for number in 100..<150 { node.words["k\(number)"] = "value \(number)" }
    realm.add(node)
  }

  private func addStrings(_ realm: Realm) {
    let bag = Bag(7)
    for number in 100..<150 { bag.strings.insert("value \(number)") }
    realm.add(bag)
  }

  /// Changes a bit of an entry's key.
  private func flipKey(
    _ table: Table, _ entry: Int, at index: Int, _ transaction: WriteTransaction
  ) throws {
    var changed = transaction.entries(table)[entry]
    try transaction.remove(changed, table)
    changed.key[index] ^= 4
    try transaction.put(changed, table)
  }

  @Test func changedEntriesOfMapsAreFound() throws {
    // In the text, in the type, and in the checksum.
    for index in [1, 5, 9, 0, 10, 13] {
      let found = try findings(addWords) { try flip(.dictionaries, 5, at: index, $0) }
      let places = Set(found.places.map { $0.prefix { $0 != "[" } })
      #expect(places == ["Node \"a\".words"], "\(index) \(found.problems)")
      #expect(found.kinds.contains(.damagedEntry), "\(index) \(found.problems)")
      #expect(found.salvage.rescuedCount == 1 && found.salvage.lostElementCount == 1)
    }
  }

  @Test func changedEntriesOfSetsAreFound() throws {
    for index in [1, 5, 9, 0, 10, 13] {
      let found = try findings(addStrings) { try flip(.sets, 5, at: index, $0) }
      let places = Set(found.places.map { $0.prefix { $0 != "[" } })
      #expect(places == ["Bag 7.strings"], "\(index) \(found.problems)")
      #expect(found.kinds.contains(.damagedEntry), "\(index) \(found.problems)")
      #expect(found.salvage.rescuedCount == 1 && found.salvage.lostElementCount == 1)
    }
  }

  @Test func changedKeysOfMapsAreFound() throws {
    for index in [8, 9] {
      let found = try findings(addWords) { try flipKey(.dictionaries, 5, at: index, $0) }
      #expect(Set(found.places) == ["Node \"a\".words"] && found.kinds == [.damagedEntry])
      #expect(found.salvage.rescuedCount == 1 && found.salvage.lostElementCount == 1)
    }
    // The entry belongs to no map.
    let found = try findings(addWords) { try flipKey(.dictionaries, 5, at: 7, $0) }
    #expect(found.kinds == [.wrongCount, .strayEntry])
    #expect(found.places.contains("Node \"a\".words"))
    #expect(found.salvage.rescuedCount == 1 && found.salvage.lostElementCount == 1)
  }

  @Test func changedKeysOfSetsAreFound() throws {
    for index in [9, 12] {
      let found = try findings(addStrings) { try flipKey(.sets, 5, at: index, $0) }
      #expect(Set(found.places) == ["Bag 7.strings"] && found.kinds == [.damagedEntry])
      #expect(found.salvage.rescuedCount == 1 && found.salvage.lostElementCount == 1)
    }
  }

  @Test func exchangedEntriesAreFound() throws {
    let maps = try findings(addWords) { try exchange(.dictionaries, 3, 7, $0) }
    #expect(maps.places == ["Node \"a\".words", "Node \"a\".words"])
    #expect(maps.kinds == [.damagedEntry] && maps.salvage.lostElementCount == 2)
    let sets = try findings(addStrings) { try exchange(.sets, 3, 7, $0) }
    #expect(Set(sets.places) == ["Bag 7.strings"])
    #expect(sets.kinds == [.damagedEntry] && sets.salvage.lostElementCount == 2)
  }

  @Test(arguments: 0..<5) func tooShortEntriesAreFound(_ count: Int) throws {
    let found = try findings(addWords) { transaction in
      var entry = transaction.entries(.dictionaries)[5]
      entry.value.removeLast(entry.value.count - count)
      try transaction.put(entry, .dictionaries)
    }
    #expect(Set(found.places) == ["Node \"a\".words"] && found.kinds == [.damagedEntry])
    #expect(found.salvage.rescuedCount == 1 && found.salvage.lostElementCount == 1)
  }
}
