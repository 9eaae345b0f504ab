import Foundation
import Testing
import Varve
import VarveStorage

/// Lists and dictionaries in mixed values.
@Suite struct NestedCollectionTests {
  private static let content: AnyRealmValue = [
    "sizes": [1, 2.5, nil, ["deep": [true]]], "name": "five", "empty": [],
  ]

  /// A crate with the same content in every kind of property.
  private func withContent(_ body: (Realm, TemporaryRealm, MixedBox) throws -> Void) throws {
    try withTemporaryRealm { realm, store in
      let crate = MixedBox(id: 1, value: Self.content)
      crate.tag = Self.content
      crate.items.append(objectsIn: ["first", Self.content])
      crate.fields["content"] = Self.content
      try realm.write { realm.add(crate) }
      try body(realm, store, crate)
    }
  }

  private func values(of crate: MixedBox) -> [AnyRealmValue] {
    [crate.value, crate.tag, crate.items[1], crate.fields["content"] ?? .none]
  }

  @Test func contentRoundTripsThroughEveryProperty() throws {
    #expect(MixedContent(Self.content) == MixedContent(MixedBox(id: 0, value: Self.content).value))
    try withContent { realm, store, crate in
      let frozen = crate.freeze()
      for value in values(of: crate) + values(of: frozen) {
        #expect(MixedContent(value) == MixedContent(Self.content))
        #expect(value["sizes"]?[3]?["deep"]?[0] == true)
        #expect(value.dictionaryValue?.count == 3 && value["sizes"]?.listValue?.count == 4)
        #expect(value["empty"]?.listValue?.isEmpty == true)
        #expect(value.dictionaryValue?.keys == ["empty", "name", "sizes"])
      }
      try realm.write {
        for value in values(of: crate) {
          #expect(MixedContent(value) == MixedContent(Self.content))
        }
      }
      try store.close()
      let again = try #require(try store.open().objects(MixedBox.self).first)
      for value in values(of: again) { #expect(MixedContent(value) == MixedContent(Self.content)) }
    }
  }

  @Test func changesThroughHandlesAreStored() throws {
    try withContent { realm, store, crate in
      let before = crate.freeze()
      let expected: AnyRealmValue = [
        "sizes": [0, "x", nil, ["deep": [true, 7], "new": nil], "last"], "empty": ["filled"],
      ]
      for value in values(of: crate) {
        try realm.write {
          let map = try #require(value.dictionaryValue)
          let sizes = try #require(map["sizes"]?.listValue)
          sizes.insert(0, at: 0)
          sizes.remove(at: 1)
          sizes[1] = "x"
          sizes.append("last")
          sizes[3]["deep"]?.listValue?.append(7)
          sizes[3].dictionaryValue?["new"] = AnyRealmValue.none
          map["empty"]?.listValue?.append("filled")
          map["name"] = nil
          #expect(MixedContent(value) == MixedContent(expected))
        }
        #expect(MixedContent(value) == MixedContent(expected))
        try store.check()
      }
      for value in values(of: before) { #expect(MixedContent(value) == MixedContent(Self.content)) }
    }
  }

  @Test func nestedListSupportsEveryOperation() throws {
    try withContent { realm, store, crate in
      try realm.write { crate.value = .fromArray((0..<1_000).map { .int($0) }) }
      let list = try #require(crate.value.listValue)
      #expect(list.count == 1_000 && list.first == 0 && list.last == 999)
      #expect(Array(list) == (0..<1_000).map { .int($0) })
      try realm.write {
        list.removeSubrange(10..<990)
        list.move(from: 0, to: 19)
        list.swapAt(0, 1)
        list.replaceSubrange(2..<4, with: [["in": 1], "b", "c"])
        list.append(objectsIn: list)
        list.removeLast(5)
        list.removeFirst()
      }
      #expect(list.count == 36 && list.realm != nil)
      #expect(list[1]["in"] == 1 && list[22]["in"] == 1)
      #expect(list.index(of: 990) == 9)
      let map = try #require(list[1].dictionaryValue)
      // The cached position is stale now.
      try realm.write { map["in"] = 2 }
      try realm.write {
        map["in"] = 3
        list.insert("before", at: 0)
        map["more"] = 4
      }
      try realm.write { map["in"] = 5 }
      #expect(list[2]["in"] == 5 && list[2]["more"] == 4)
      try store.check()
      try realm.write { list.removeAll() }
      #expect(list.isEmpty && map.isInvalidated && !list.isInvalidated)
    }
  }

  @Test func nestedMapSupportsEveryOperation() throws {
    try withContent { realm, store, crate in
      let map = try #require(crate.value.dictionaryValue)
      let long = String(repeating: "k", count: 600)
      try realm.write {
        let entries: [(key: String, value: AnyRealmValue)] = [
          ("a", 1), (long, ["x"]), ("b", .string(long)),
        ]
        map.set(entries)
        let others: [(key: String, value: AnyRealmValue)] = [("a", 2), ("c", 3)]
        map.merge(others) { $1 }
        #expect(map.count == 4)
      }
      #expect(map.count == 4 && map.keys == ["a", "b", "c", long])
      #expect(map["a"] == 2 && map[long]?[0] == "x" && map["b"] == .string(long))
      try realm.write { map[long]?.listValue?.append("y") }
      #expect(map[long]?.listValue?.count == 2)
      expectError(.invalidKey) { try realm.write { map["a.b"] = 1 } }
      expectError(.invalidKey) { try realm.write { map["d"] = ["$": 1] } }
      #expect(map.count == 4)
      try store.check()
      try realm.write { map.removeAll() }
      #expect(map.isEmpty)
    }
  }

  @Test func oneWriteCreatesChangesAndDeletes() throws {
    try withTemporaryRealm { realm, store in
      try realm.write {
        let crate = realm.create(MixedBox.self, value: ["id": 1])
        crate.value = [[1]]
        let inner = try #require(crate.value[0]?.listValue)
        inner.append(2)
        crate.items.append(["k": [3]])
        crate.items[0]["k"]?.listValue?.append(4)
        #expect(inner.count == 2)
        crate.value = 5
        #expect(crate.items[0]["k"]?.listValue?.map(\.self) == [3, 4])
        realm.delete(crate)
      }
      #expect(try store.count(.collections) == 0 && store.count(.lists) == 0)
    }
  }

  @Test func assignedCollectionIsCopied() throws {
    try withContent { realm, store, crate in
      let given = List<AnyRealmValue>()
      given.append("given")
      try realm.write { crate.value = .list(given) }
      #expect(given.realm == nil)
      given.append("later")
      #expect(crate.value.listValue?.count == 1)
      try realm.write {
        let list = try #require(crate.value.listValue)
        list.append(.list(list))
        list.append(.list(list))
        crate.items.append(.list(crate.items))
        crate.fields["self"] = .dictionary(crate.fields)
      }
      #expect(
        MixedContent(crate.value) == MixedContent(["given", ["given"], ["given", ["given"]]]))
      #expect(crate.items.count == 3 && crate.items[2].listValue?.count == 2)
      #expect(crate.fields["self"]?["content"]?["name"] == "five")
      try store.check()
      let handle = try #require(crate.value.listValue)
      try realm.write { crate.value = crate.value }
      #expect(handle.isInvalidated && crate.value.listValue?.count == 3)
      try realm.write { crate.value = try #require(crate.value[2]) }
      #expect(MixedContent(crate.value) == MixedContent(["given", ["given"]]))
    }
  }

  @Test func collectionsFromOtherStoresAndVersionsAreCopied() throws {
    try withContent { realm, store, crate in
      let frozen = crate.freeze()
      try realm.write { crate.value = .none }
      try realm.write { crate.value = frozen.value }
      #expect(MixedContent(crate.value) == MixedContent(Self.content))
      try withTemporaryRealm { other, _ in
        let copy = MixedBox(id: 7, value: crate.value)
        try other.write { other.add(copy) }
        try other.write { other.add(MixedBox(value: crate), update: .all) }
        #expect(MixedContent(copy.value) == MixedContent(Self.content))
        #expect(other.objects(MixedBox.self).count == 2)
      }
    }
  }

  @Test func removedContentFreesItsStorage() throws {
    let long = AnyRealmValue.string(String(repeating: "x", count: 2_000))
    try withTemporaryRealm { realm, store in
      let (crate, gadget) = (MixedBox(id: 1), Gadget(name: "g"))
      try realm.write {
        realm.add(crate)
        realm.add(gadget)
      }
      let content: AnyRealmValue = [["k": [.object(gadget), long], "l": long], long]
      func fill() throws {
        try realm.write {
          crate.value = content
          crate.tag = content
          crate.items.append(content)
          crate.fields["f"] = content
        }
        #expect(try store.count(.blobs) == 12 && store.count(.backlinks) == 4)
        try store.check()
      }
      func expectNothing() throws {
        try store.check()
        for table: Table in [.blobs, .backlinks, .lists] { #expect(try store.count(table) == 0) }
        #expect(try store.count(.dictionaries) <= 1 && store.count(.collections) <= 2)
      }
      try fill()
      try realm.write {
        crate.value = .none
        crate.tag = 1
        crate.items.removeAll()
        crate.fields["f"] = "other"
      }
      try expectNothing()
      try fill()
      try realm.write {
        crate.value[0]?.dictionaryValue?.removeAll()
        crate.value.listValue?.removeFirst()
      }
      try store.check()
      try realm.write { realm.delete(crate) }
      try expectNothing()
    }
  }

  @Test func removedCollectionsAreInvalidated() throws {
    try withContent { realm, _, crate in
      let map = try #require(crate.value.dictionaryValue)
      let list = try #require(map["sizes"]?.listValue)
      let deep = try #require(list[3].dictionaryValue)
      let frozen = deep.freeze()
      #expect(!deep.isInvalidated)
      try realm.write { map["sizes"] = ["other"] }
      #expect(list.isInvalidated && deep.isInvalidated && !map.isInvalidated)
      #expect(list.isEmpty && deep.isEmpty && deep["deep"] == nil)
      #expect(frozen["deep"]?[0] == true && !frozen.isInvalidated && frozen.thaw() == nil)
      expectError(.invalidatedObject) { try realm.write { list.append(1) } }
      expectError(.invalidatedObject) { try realm.write { deep["a"] = 1 } }
      expectError(.invalidatedObject) { try realm.write { _ = deep.count } }
      try realm.write { realm.delete(crate) }
      #expect(map.isInvalidated && map.isEmpty)
    }
  }

  @Test func failedWriteIsRolledBack() throws {
    try withContent { realm, store, crate in
      let (collections, lists) = (try store.count(.collections), try store.count(.lists))
      let map = try #require(crate.value.dictionaryValue)
      var made: List<AnyRealmValue>?
      expectCancelled {
        try realm.write {
          map["new"] = [1, [2]]
          made = map["new"]?.listValue
          map["sizes"] = nil
          crate.items.removeAll()
          throw Cancelled()
        }
      }
      #expect(MixedContent(crate.value) == MixedContent(Self.content))
      #expect(try store.count(.collections) == collections && store.count(.lists) == lists)
      try realm.write { map["new"] = ["another"] }
      #expect(made?.isInvalidated == true && made?.isEmpty == true)
      #expect(crate.value["new"]?[0] == "another")
    }
  }

  @Test func nestingDepthIsLimited() throws {
    func nested(_ levels: Int) -> AnyRealmValue {
      var value: AnyRealmValue = "core"
      for level in 0..<levels { value = level.isMultiple(of: 2) ? [value] : ["k": value] }
      return value
    }
    try withTemporaryRealm { realm, store in
      let crate = MixedBox(id: 1, value: nested(100))
      try realm.write {
        realm.add(crate)
        crate.items.append(nested(100))
      }
      try store.check()
      var innermost = crate.value
      while innermost.stringValue == nil {
        innermost = try #require(innermost.listValue?[0] ?? innermost["k"])
      }
      #expect(innermost == "core")
      onASmallStack { [value = crate.value] in expectDepth(of: value, 100) }
      expectError(.invalidInput) { try realm.write { crate.value = nested(101) } }
      expectError(.invalidInput) {
        try realm.write { realm.add(MixedBox(id: 2, value: nested(101))) }
      }
      expectError(.invalidInput) { try MixedBox(validating: ["items": [json(101)]]) }
      let deep = try MixedBox(validating: ["id": 3, "value": json(100)])
      try realm.write { realm.add(deep) }
      let list = try #require(crate.items[0]["k"]?.listValue)
      expectError(.invalidInput) { try realm.write { list.append(nested(99)) } }
      try realm.write { list.append(nested(98)) }
      try store.check()
      let path = store.configuration
      onASmallStack {
        let realm = try Realm(configuration: path)
        let crate = try #require(realm.objects(MixedBox.self).first)
        try realm.write { crate.value = crate.value }
        try realm.write { realm.deleteAll() }
      }
      try realm.refresh()
      #expect(try store.count(.collections) == 0)
    }
  }

  private func json(_ levels: Int) -> Any {
    var value: Any = "core"
    for level in 0..<levels {
      if level.isMultiple(of: 2) { value = [value] } else { value = ["k": value] }
    }
    return value
  }

  @Test func collectionContainingItselfThrows() throws {
    let list = List<AnyRealmValue>()
    list.append(.list(list))
    list.append(.list(list))
    try withTemporaryRealm { realm, _ in
      let crate = MixedBox(id: 1)
      try realm.write { realm.add(crate) }
      expectError(.invalidInput) { try realm.write { crate.value = .list(list) } }
      expectError(.invalidInput) { try realm.write { crate.items.append(.list(list)) } }
      expectError(.invalidInput) {
        try realm.write { realm.add(MixedBox(id: 2, value: .list(list))) }
      }
    }
    list.removeAll()
  }

  @Test func jsonBecomesNestedCollections() throws {
    let text = #"{"id": 4, "value": {"a": [1, {"b": null}], "c": 2.5}, "items": [[], {}]}"#
    let json = try JSONSerialization.jsonObject(with: Data(text.utf8))
    try withTemporaryRealm { realm, store in
      try realm.write { realm.create(MixedBox.self, value: json) }
      let crate = try #require(realm.objects(MixedBox.self).first)
      #expect(MixedContent(crate.value) == MixedContent(["a": [1, ["b": nil]], "c": 2.5]))
      #expect(crate.items[0].listValue?.isEmpty == true)
      #expect(crate.items[1].dictionaryValue?.isEmpty == true)
      let encoded = try JSONEncoder().encode(crate.value)
      let decoded = try JSONDecoder().decode(AnyRealmValue.self, from: encoded)
      #expect(MixedContent(decoded) == MixedContent(crate.value))
    }
  }

  @Test func updateComparesNestedContent() throws {
    let given: [String: Any] = [
      "id": 1, "value": ["a": [1, ["b": "x"]]], "items": [[1, 2], "c"], "fields": ["f": [1]],
    ]
    try withTemporaryRealm { realm, store in
      try realm.write { realm.create(MixedBox.self, value: given) }
      let crate = try #require(realm.objects(MixedBox.self).first)
      let list = try #require(crate.value["a"]?.listValue)
      let before = realm.freeze()
      try realm.write { realm.create(MixedBox.self, value: given, update: .modified) }
      #expect(try realm.changes(since: before).objects(MixedBox.self).isEmpty)
      #expect(!list.isInvalidated)
      var other = given
      other["value"] = ["a": [1, ["b": "y"]]]
      try realm.write { realm.create(MixedBox.self, value: other, update: .modified) }
      let changed = try realm.changes(since: before).objects(MixedBox.self).modifications
      #expect(changed.map { $0.properties.map(\.name) } == [["value"]])
      #expect(crate.value["a"]?[1]?["b"] == "y" && list.isInvalidated)
      try realm.write { realm.create(MixedBox.self, value: other, update: .all) }
      #expect(crate.items[0].listValue?.count == 2)
      try store.check()
    }
  }

  @Test func linksInNestedCollectionsHaveBacklinks() throws {
    try withContent { realm, store, crate in
      let (first, second) = (Gadget(name: "a"), Gadget(name: "b"))
      try realm.write {
        crate.value = [[.object(first), .object(second)], ["k": .object(first)]]
        crate.items.append(["k": [.object(first)]])
      }
      #expect(realm.objects(Gadget.self).count == 2)
      #expect(crate.value[0]?[1]?.object(Gadget.self)?.name == "b")
      try store.check()
      let before = realm.freeze()
      try realm.write { first.weight = 9 }
      let changes = try realm.changes(since: before).changes(of: realm.objects(MixedBox.self))
      #expect(changes.modifications == [0])
      try realm.write { realm.delete(first) }
      #expect(MixedContent(crate.value[1] ?? .none) == MixedContent(["k": nil]))
      #expect(crate.value[0]?[0] == AnyRealmValue.none)
      #expect(crate.value[0]?[1]?.object(Gadget.self)?.name == "b")
      #expect(MixedContent(crate.items[2]) == MixedContent(["k": [nil]]))
      try store.check()
    }
  }

  @Test func objectsInCollectionsOfAnotherStoreAreCopied() throws {
    try withTemporaryRealm { realm, _ in
      let crate = MixedBox(id: 1)
      let gadget = Gadget(name: "g")
      crate.value = [["k": .object(gadget)], .object(crate), 1]
      crate.fields["f"] = [.object(gadget)]
      try realm.write { realm.add(crate) }
      try withTemporaryRealm { other, store in
        let copy = try other.write { other.create(MixedBox.self, value: crate) }
        let inner = try #require(copy.value[0]?["k"]?.object(Gadget.self))
        #expect(inner.name == "g" && copy.value[2] == 1)
        #expect(copy.value[1]?.object(MixedBox.self)?.isSameObject(as: copy) == true)
        #expect(copy.fields["f"]?[0]?.object(Gadget.self)?.isSameObject(as: inner) == true)
        #expect(other.objects(Gadget.self).count == 1)
        try store.check()
      }
      #expect(gadget.realm == realm)
    }
  }

  @Test func equalHandlesReferToSameCollection() throws {
    try withContent { realm, _, crate in
      let first = try #require(crate.value["sizes"]?.listValue)
      let second = try #require(crate.value["sizes"]?.listValue)
      #expect(first == second && first.hashValue == second.hashValue)
      #expect(first != crate.value["empty"]?.listValue)
      #expect(first != crate.tag["sizes"]?.listValue)
      #expect(crate.value == crate.value && crate.value != crate.tag)
      let frozen = first.freeze()
      #expect(frozen != first && frozen.thaw() == first && frozen.isFrozen)
      #expect(realm.objects(MixedBox.self).where { $0.value == .list(first) }.isEmpty)
      #expect(realm.objects(MixedBox.self).where { $0.value == 1 }.isEmpty)
    }
  }

  @Test func valuesOfANestedListAreQueriedAndSorted() throws {
    try withContent { realm, _, crate in
      try realm.write { crate.value = [3, "x", 1.5, [7], 2, .decimal128(2.5)] }
      let list = try #require(crate.value.listValue)
      let sorted = list.sorted(ascending: true)
      #expect(sorted.prefix(5).map(\.self) == [1.5, 2, .decimal128(2.5), 3, "x"])
      #expect(sorted.last?[0] == 7 && sorted.map(\.self).last?[0] == 7)
      #expect(list.where { $0 > 2 }.map(\.self) == [3, .decimal128(2.5)])
      try realm.write { crate.value = .none }
      #expect(sorted.isEmpty && sorted.isInvalidated)
    }
  }

  @Test func manyOpenCollectionsAreFlushedEarly() throws {
    try withTemporaryRealm { realm, store in
      let crate = MixedBox(id: 1)
      try realm.write {
        realm.add(crate)
        crate.value = .fromArray((0..<6_000).map { [.int($0)] })
      }
      let outer = try #require(crate.value.listValue)
      let inner = outer.compactMap(\.listValue)
      try realm.write { for list in inner { list.append("x") } }
      try realm.write {
        for list in inner { list.append("y") }
        for list in inner { list.append("z") }
      }
      #expect(outer.allSatisfy { $0.listValue?.count == 4 && $0[3] == "z" })
      try store.check()
    }
  }
}

private func expectDepth(of value: AnyRealmValue, _ depth: Int) {
  #expect(MixedContent(value).depth == depth)
}
