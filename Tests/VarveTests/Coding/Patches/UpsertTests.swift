import Foundation
import Testing
import Varve
import VarveTestSupport

@Suite struct UpsertTests {
  private func patch<T: ObjectBase & Decodable>(
    _ json: String, as type: T.Type = Pallet.self, _ links: LinkCoding = .nested
  ) throws -> ObjectPatch<T> {
    let decoder = JSONDecoder()
    decoder.userInfo[.varveLinks] = links
    return try decoder.decode(ObjectPatch<T>.self, from: Data(json.utf8))
  }

  /// Decodes and applies a document in a write.
  @discardableResult
  private func upsert<T: Object & Decodable>(
    _ json: String, as type: T.Type = Pallet.self, _ links: LinkCoding = .nested, in realm: Realm
  ) throws -> T {
    let patch = try patch(json, as: type, links)
    return try realm.write { try realm.upsert(patch) }
  }

  /// A store with one pallet, `a`, whose properties all have values.
  private func withPallet(_ body: (Realm, Pallet) throws -> Void) throws {
    try withTemporaryRealm { realm, _ in
      let pallet = try realm.write {
        realm.create(
          Pallet.self,
          value: [
            "name": "a", "summary": "s", "hits": 7, "note": "n", "rank": "high", "count": 5,
            "warmth": 1.5, "tags": ["x"], "labels": ["l"], "fields": ["f": 1, "g": 2],
            "limits": ["f": 1], "degrees": ["d": 2.5], "extra": ["k": 1, "l": [2]],
            "extras": ["m": 1, "deep": ["o": 1]],
            "size": [
              "width": 1, "height": 2, "unit": "mm", "lid": ["color": "red", "isOpen": true],
            ],
            "sizes": [["width": 1, "height": 1]], "sizesByName": ["b": ["width": 3, "height": 4]],
            "best": ["name": "b", "summary": "sb", "hits": 2], "depends": [["name": "b"]],
            "byRole": ["main": ["name": "b"]], "friends": [["name": "b"]],
            "maker": ["mail": "m", "title": "t", "badge": 1, "born": 1950],
            "memo": ["text": "memo"],
          ] as [String: Any], update: .modified)
      }
      try body(realm, pallet)
    }
  }

  private func json(_ object: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(object), as: UTF8.self)
  }

  @Test func upsertChangesOnlyWhatDocumentContains() throws {
    try withPallet { realm, pallet in
      let before = try json(pallet)
      let found = try upsert(#"{"name": "a", "summary": "new", "unknown": [1]}"#, in: realm)
      #expect(found == pallet && pallet.summary == "new")
      #expect(try json(pallet) == before.replacing(#""summary":"s""#, with: #""summary":"new""#))
      try upsert(#"{"name": "a", "the_note": null, "hits": 8, "count": null}"#, in: realm)
      #expect(pallet.note == nil && pallet.hits == 8 && pallet.count.value == nil)
      #expect(pallet.rank == .high && pallet.summary == "new" && pallet.maker?.born == 1950)
      #expect(realm.objects(Pallet.self).count == 2)
    }
  }

  @Test func upsertInsertsMissingObject() throws {
    try withTemporaryRealm { realm, _ in
      let document =
        #"{"name": "n", "summary": "s", "warmth": 2, "tags": ["x"], "fields": {"f": 1, "g": null}, "#
        + #""size": {"width": 1, "height": 2}, "best": {"name": "o", "summary": "so", "warmth": 1}}"#
      let pallet = try upsert(document.replacing("\"g\": null", with: "\"g\": 3"), in: realm)
      #expect(pallet.name == "n" && pallet.summary == "s" && pallet.warmth.degrees == 2)
      #expect(pallet.hits == 0 && pallet.rank == .low && Array(pallet.tags) == ["x"])
      #expect(pallet.fields["f"] == 1 && pallet.fields["g"] == 3 && pallet.size?.unit == "cm")
      #expect(pallet.best?.name == "o" && pallet.best?.best == nil)
      #expect(realm.objects(Pallet.self).count == 2)
      let other = try upsert(document.replacing("\"n\"", with: "\"n2\""), in: realm)
      #expect(other.fields.keys == ["f"] && other.best == pallet.best)
    }
  }

  @Test func missingValuesAreNamedAndNothingIsWritten() throws {
    try withPallet { realm, pallet in
      let before = try json(pallet)
      let documents = [
        (#"{"name": "c", "hits": 1}"#, ["Pallet.summary", "Pallet.warmth"]),
        (#"{"hits": 1}"#, ["Pallet.name", "Pallet.summary", "Pallet.warmth"]),
        (
          #"{"name": "a", "hits": 9, "best": {"name": "c", "summary": "x"}, "tags": []}"#,
          ["Pallet.warmth"]
        ),
        (#"{"name": "a", "hits": 9, "maker": {"title": "x"}}"#, ["PalletMaker.mail"]),
        (
          #"{"name": "a", "hits": 9, "depends": [{"name": "b"}, {"name": "c"}]}"#,
          ["Pallet.summary", "Pallet.warmth"]
        ),
        (#"{"name": "a", "hits": 9, "sizes": [{"width": 1}]}"#, ["PalletSize.height"]),
        (
          #"{"name": "a", "hits": 9, "sizes_by_name": {"b": {"width": 1}, "c": {"width": 1}}}"#,
          ["PalletSize.height"]
        ),
        (
          #"{"name": "b", "hits": 9, "size": {"lid": {}}}"#,
          ["PalletSize.width", "PalletSize.height"]
        ),
        (#"{"name": "a", "hits": 9, "memo": {}}"#, ["PalletMemo.text"]),
      ]
      for (document, names) in documents {
        let patch = try patch(document)
        try realm.write {
          let error = thrownError { try realm.upsert(patch) }
          #expect(error?.code == .missingValue, "\(document)")
          #expect(error?.details == names, "\(document)")
          try realm.checkWrite()
        }
        #expect(try json(pallet) == before, "\(document)")
      }
      #expect(realm.objects(Pallet.self).count == 2 && realm.objects(PalletMaker.self).count == 1)
    }
  }

  @Test func embeddedObjectIsMerged() throws {
    try withPallet { realm, pallet in
      let size = pallet.size
      try upsert(#"{"name": "a", "size": {"width": 9, "lid": {"isOpen": false}}}"#, in: realm)
      #expect(
        size.map { pallet.size?.isSameObject(as: $0) } == true && size?.width == 9
          && size?.height == 2 && size?.unit == "mm")
      #expect(size?.lid?.color == "red" && size?.lid?.isOpen == false)
      try upsert(#"{"name": "a", "size": {"lid": null, "measuredBy": {"mail": "m"}}}"#, in: realm)
      #expect(size?.lid == nil && size?.width == 9 && size?.measuredBy?.title == "t")
      try upsert(#"{"name": "a", "size": null}"#, in: realm)
      #expect(pallet.size == nil && size?.isInvalidated == true)
      try upsert(
        #"{"name": "a", "size": {"width": 1, "height": 1, "lid": {"color": "c"}}}"#, in: realm)
      #expect(pallet.size?.lid?.color == "c" && pallet.size?.unit == "cm")
    }
  }

  @Test func linkedObjectIsFoundByItsKey() throws {
    try withPallet { realm, pallet in
      let best = pallet.best
      // With the key alone it is a reference.
      try upsert(#"{"name": "a", "best": {"name": "b"}, "depends": [{"name": "b"}]}"#, in: realm)
      #expect(pallet.best == best && best?.summary == "sb" && best?.hits == 2)
      try upsert(#"{"name": "a", "best": {"name": "b", "hits": 3}}"#, in: realm)
      #expect(best?.summary == "sb" && best?.hits == 3)
      try upsert(
        #"{"name": "a", "best": {"name": "c", "summary": "sc", "warmth": 1, "best": {"name": "b", "hits": 4}}}"#,
        in: realm)
      #expect(pallet.best?.name == "c" && pallet.best?.best == best && best?.hits == 4)
      try upsert(#"{"name": "a", "best": null, "memo": {"text": "second"}}"#, in: realm)
      #expect(pallet.best == nil && pallet.memo?.text == "second")
      #expect(realm.objects(Pallet.self).count == 3 && realm.objects(PalletMemo.self).count == 2)
    }
  }

  @Test func listsAndSetsAreReplaced() throws {
    try withPallet { realm, pallet in
      try upsert(
        #"{"name": "a", "tags": ["y", "y"], "labels": ["m", "l"], "sizes": [{"width": 5, "height": 6}, {"width": 7, "height": 8, "unit": "m"}]}"#,
        in: realm)
      #expect(Array(pallet.tags) == ["y", "y"] && Set(pallet.labels) == ["l", "m"])
      #expect(pallet.sizes.map(\.width) == [5, 7] && pallet.sizes.map(\.unit) == ["cm", "m"])
      try upsert(
        #"{"name": "a", "depends": [{"name": "d", "summary": "s", "warmth": 1}, {"name": "b", "hits": 6}], "friends": [{"name": "d", "hits": 1}, {"name": "a", "hits": 2}]}"#,
        in: realm)
      #expect(pallet.depends.map(\.name) == ["d", "b"] && pallet.depends.map(\.hits) == [1, 6])
      #expect(Set(pallet.friends.map(\.name)) == ["a", "d"] && pallet.hits == 2)
      #expect(pallet.depends[1].summary == "sb")
      try upsert(#"{"name": "a", "tags": null, "friends": null, "sizes": []}"#, in: realm)
      #expect(pallet.tags.isEmpty && pallet.friends.isEmpty && pallet.sizes.isEmpty)
      #expect(pallet.depends.count == 2)
    }
  }

  @Test func mapsAreMerged() throws {
    try withPallet { realm, pallet in
      let size = try #require(pallet.sizesByName["b"] ?? nil)
      try upsert(
        #"{"name": "a", "fields": {"f": null, "h": 3}, "limits": {"f": null, "g": 2}, "degrees": {"e": 4, "none": null}, "sizes_by_name": {"b": {"width": 9}, "c": {"width": 1, "height": 1}}, "by_role": {"side": {"name": "b", "hits": 5}, "gone": null}}"#,
        in: realm)
      #expect(pallet.fields.map(\.value) == [2, 3] && pallet.limits.keys == ["g"])
      #expect(pallet.degrees.keys == ["d", "e"] && pallet.degrees["e"]?.degrees == 4)
      #expect(size.width == 9 && size.height == 4 && pallet.sizesByName.keys == ["b", "c"])
      #expect(pallet.byRole.keys == ["main", "side"] && pallet.best?.hits == 5)
      try upsert(
        #"{"name": "a", "sizes_by_name": {"b": null}, "by_role": {"main": null}}"#, in: realm)
      #expect(
        size.isInvalidated && pallet.sizesByName.keys == ["c"] && pallet.byRole.keys == ["side"])
      try upsert(#"{"name": "a", "fields": null, "sizes_by_name": null}"#, in: realm)
      #expect(pallet.fields.isEmpty && pallet.sizesByName.isEmpty)
    }
  }

  @Test func mixedDictionariesAreMerged() throws {
    try withPallet { realm, pallet in
      try upsert(
        #"{"name": "a", "extra": {"k": 2, "n": {"z": 1}}, "extras": {"deep": {"p": 2}, "m": null}}"#,
        in: realm)
      #expect(pallet.extra["k"] == 2 && pallet.extra["l"]?[0] == 2 && pallet.extra["n"]?["z"] == 1)
      #expect(pallet.extras.keys == ["deep"] && pallet.extras["deep"]?["o"] == 1)
      #expect(pallet.extras["deep"]?["p"] == 2)
      try upsert(#"{"name": "a", "extra": {"k": null, "l": [3, {"q": null}]}}"#, in: realm)
      #expect(pallet.extra["k"] == nil && pallet.extra["l"]?[0] == 3)
      try upsert(#"{"name": "a", "extra": 5}"#, in: realm)
      #expect(pallet.extra == 5)
      try upsert(#"{"name": "a", "extra": null}"#, in: realm)
      #expect(pallet.extra == .none && pallet.extras.count == 1)
    }
  }

  @Test func documentsMayLinkInCycles() throws {
    try withTemporaryRealm { realm, _ in
      let document =
        #"{"name": "a", "summary": "s", "warmth": 1, "best": {"name": "b", "summary": "t", "warmth": 1, "best": {"name": "a"}, "depends": [{"name": "b"}, {"name": "a", "hits": 4}]}, "friends": [{"name": "a"}]}"#
      let pallet = try upsert(document, in: realm)
      #expect(pallet.best?.best == pallet && pallet.hits == 4 && pallet.friends.first == pallet)
      #expect(pallet.best?.depends.map(\.name) == ["b", "a"])
      try upsert(document.replacing("\"hits\": 4", with: "\"hits\": 5"), in: realm)
      #expect(pallet.hits == 5 && realm.objects(Pallet.self).count == 2)
    }
  }

  @Test func batchLinksInAnyOrder() throws {
    try withTemporaryRealm { realm, _ in
      let decoder = JSONDecoder()
      decoder.userInfo[.varveLinks] = LinkCoding.keys
      let patches = try decoder.decode(
        [ObjectPatch<Pallet>].self,
        from: Data(
          #"[{"name": "a", "summary": "s", "warmth": 1, "depends": ["b", "a"], "best": "c"}, {"name": "b", "summary": "t", "warmth": 1, "by_role": {"x": "a"}}, {"name": "c", "summary": "u", "warmth": 1}, {"name": "a", "hits": 3}]"#
            .utf8))
      let pallets = try realm.write { try realm.upsert(patches) }
      #expect(pallets.map(\.name) == ["a", "b", "c", "a"] && pallets[0] == pallets[3])
      #expect(pallets[0].depends.map(\.name) == ["b", "a"] && pallets[0].best == pallets[2])
      #expect(pallets[1].byRole["x"] == pallets[0] && pallets[0].hits == 3)
      try realm.write { try realm.upsert(patches) }
      #expect(realm.objects(Pallet.self).count == 3)
    }
  }

  @Test func batchIsAppliedWhollyOrNotAtAll() throws {
    try withPallet { realm, pallet in
      let good = try patch(#"{"name": "a", "hits": 100}"#)
      let incomplete = try patch(#"{"name": "z"}"#)
      let dangling = try patch(#"{"name": "a", "best": "z"}"#, .keys)
      try realm.write {
        let first = thrownError { try realm.upsert([good, incomplete, good]) }
        #expect(first?.code == .missingValue && first?.value == "\"z\"")
        #expect(first?.details == ["Pallet.summary", "Pallet.warmth", "document 1"])
        let second = thrownError { try realm.upsert([good, good, dangling]) }
        #expect(second?.code == .invalidInput && second?.value == "\"z\"")
        #expect(second?.details == ["referred to by 'best'", "document 2"])
        #expect(pallet.hits == 7)
        // The write goes on.
        try realm.upsert([good])
      }
      #expect(pallet.hits == 100)
    }
  }

  @Test func unknownKeyOfLinkIsRefused() throws {
    try withPallet { realm, pallet in
      for document in [
        #"{"name": "a", "hits": 9, "best": "z"}"#,
        #"{"name": "a", "hits": 9, "depends": ["b", "z"]}"#,
        #"{"name": "a", "hits": 9, "by_role": {"r": "z"}}"#,
        #"{"name": "a", "hits": 9, "friends": ["z"]}"#,
        #"{"name": "a", "hits": 9, "size": {"measuredBy": "z"}}"#,
        #"{"name": "a", "hits": 9, "extra": {"$link": {"class": "Pallet", "key": "z"}}}"#,
        #"{"name": "a", "hits": 9, "extras": {"deep": [{"$link": {"class": "Pallet", "key": "z"}}]}}"#,
      ] {
        let patch = try patch(document, .keys)
        try realm.write {
          #expect(thrownError { try realm.upsert(patch) }?.code == .invalidInput, "\(document)")
          #expect(thrownError { try patch.apply(to: pallet) }?.code == .invalidInput, "\(document)")
        }
      }
      #expect(pallet.hits == 7 && realm.objects(Pallet.self).count == 2)
      try upsert(
        #"{"name": "a", "best": "a", "depends": ["a"], "extra": [{"$link": {"class": "Pallet", "key": "b"}}]}"#,
        .keys, in: realm)
      #expect(pallet.best == pallet && pallet.depends.map(\.name) == ["a"])
      #expect(pallet.extra[0]?.object(Pallet.self)?.name == "b")
    }
  }

  @Test func documentWithoutGeneratedKeyInserts() throws {
    try withTemporaryRealm { realm, _ in
      let first = try upsert(
        #"{"text": "one", "next": {"text": "two"}}"#, as: PalletLog.self, in: realm)
      #expect(first.id > 0 && first.next?.text == "two" && first.next?.id != first.id)
      try upsert(#"{"id": null, "text": "three"}"#, as: PalletLog.self, in: realm)
      try upsert(#"{"id": 0, "text": "four"}"#, as: PalletLog.self, in: realm)
      #expect(realm.objects(PalletLog.self).count == 4)
      let patch = try patch(#"{"text": "twice"}"#, as: PalletLog.self)
      let both = try realm.write { try realm.upsert([patch, patch]) }
      #expect(both[0] != both[1] && realm.objects(PalletLog.self).count == 6)
      try upsert(#"{"id": \#(first.id), "level": 9}"#, as: PalletLog.self, in: realm)
      #expect(first.text == "one" && first.level == 9)
      let given = try upsert(#"{"id": 500, "text": "given"}"#, as: PalletLog.self, in: realm)
      let next = try upsert(#"{"text": "next"}"#, as: PalletLog.self, in: realm)
      #expect(given.id == 500 && next.id == 501)
    }
  }

  @Test func takenUniqueValueFailsWrite() throws {
    try withPallet { realm, pallet in
      for document in [
        #"{"mail": "o", "title": "x", "badge": 1}"#,
        #"{"mail": "o", "title": "x", "made": [{"name": "a", "hits": 50, "maker": {"mail": "p", "title": "t", "badge": 1}}]}"#,
      ] {
        let patch = try patch(document, as: PalletMaker.self)
        expectError(.duplicateValue) { try realm.write { try realm.upsert(patch) } }
      }
      #expect(realm.objects(PalletMaker.self).count == 1 && pallet.hits == 7)
      try upsert(#"{"mail": "m", "badge": 1, "born": 1}"#, as: PalletMaker.self, in: realm)
      #expect(pallet.maker?.born == 1)
    }
  }

  @Test func subclassesAreUpserted() throws {
    try withTemporaryRealm { realm, _ in
      let truck = try upsert(
        #"{"id": 1, "plate": "p", "load": 3}"#, as: PalletTruck.self, in: realm)
      try upsert(#"{"id": 1, "load": 4}"#, as: PalletTruck.self, in: realm)
      #expect(truck.plate == "p" && truck.load == 4 && truck.wheels == 4)
      try upsert(#"{"id": 1, "plate": null}"#, as: PalletTruck.self, in: realm)
      #expect(truck.plate == nil && truck.load == 4 && realm.objects(PalletTruck.self).count == 1)
    }
  }

  @Test func unknownStoredCaseIsOverwrittenOnlyByDocument() throws {
    try withPallet { realm, pallet in
      let url = try #require(realm.configuration.fileURL)
      try realm.write {
        try realm.dynamicObjects("Pallet").first { $0["name"] as? String == "a" }?
          .setValue("newer", forKey: "rank")
      }
      func stored() throws -> String? {
        try realm.dynamicObjects("Pallet").first { $0["name"] as? String == "a" }?["rank"]
          as? String
      }
      #expect(pallet.rank == .low && !url.path.isEmpty)
      #expect(try stored() == "newer")
      try upsert(#"{"name": "a", "hits": 8}"#, in: realm)
      #expect(try stored() == "newer")
      // The value that the unknown one reads as.
      try upsert(#"{"name": "a", "rank": "low"}"#, in: realm)
      #expect(try stored() == "low")
    }
  }

  @Test func equalValuesAreNotReported() throws {
    try withPallet { realm, pallet in
      // Objects without keys and embedded objects in lists are new each time.
      try realm.write {
        (pallet.memo, pallet.extra) = (nil, 1)
        pallet.sizes.removeAll()
      }
      let events = EventRecorder<[String]>()
      let token = try pallet.observe { (change: ObjectChange<Pallet>) in
        if case .change(_, let properties) = change { events.note(properties.map(\.name)) }
      }
      let same = try json(pallet)
      try upsert(same, in: realm)
      #expect(try json(pallet) == same)
      try upsert(#"{"name": "a", "hits": 8, "tags": ["x"], "rank": "high"}"#, in: realm)
      #expect(events.wait(for: 1) == [["hits"]])
      token.invalidate()
    }
  }

  @Test func patchIsAppliedToManyObjectsOfSeveralRealms() throws {
    let patch = try patch(
      #"{"size": {"width": 1, "height": 2, "lid": {"color": "c"}}, "sizes": [{"width": 3, "height": 4}], "best": {"name": "z", "summary": "s", "warmth": 1}, "extra": {"a": [1]}}"#
    )
    for _ in 0..<2 {
      try withPallet { realm, pallet in
        let other = try #require(realm.object(ofType: Pallet.self, forPrimaryKey: "b"))
        try realm.write {
          try patch.apply(to: pallet)
          try patch.apply(to: other)
          try patch.apply(to: pallet)
        }
        #expect(pallet.size != other.size && other.size?.lid?.color == "c")
        #expect(pallet.sizes.count == 1 && other.sizes.count == 1)
        #expect(pallet.best == other.best && pallet.best?.summary == "s")
        #expect(pallet.extra["k"] == 1 && other.extra["a"]?[0] == 1)
        try realm.write { other.extra["a"]?.listValue?.append(2) }
        #expect(pallet.extra["a"]?.listValue?.count == 1)
      }
    }
    let unmanaged = [Pallet(), Pallet()]
    for pallet in unmanaged { try patch.apply(to: pallet) }
    #expect(unmanaged[0].size !== unmanaged[1].size && unmanaged[1].size?.lid?.color == "c")
    #expect(unmanaged[0].best?.summary == "s" && unmanaged[0].best !== unmanaged[1].best)
    let again = try self.patch(#"{"size": {"width": 9}, "best": {"name": "z", "hits": 3}}"#)
    try again.apply(to: unmanaged[0])
    #expect(unmanaged[0].size?.width == 9 && unmanaged[0].size?.height == 2)
    #expect(unmanaged[0].best?.summary == "s" && unmanaged[0].best?.hits == 3)
    let reference = try self.patch(#"{"best": "q"}"#, .keys)
    try reference.apply(to: unmanaged[0])
    #expect(unmanaged[0].best?.name == "q")
    let incomplete = try self.patch(#"{"hits": 50, "best": {"name": "r", "hits": 3}}"#)
    #expect(thrownError { try incomplete.apply(to: unmanaged[0]) }?.code == .missingValue)
    #expect(unmanaged[0].hits == 0)
  }

  @Test func upsertOutsideWriteThrows() throws {
    try withPallet { realm, _ in
      let patch = try patch(#"{"name": "a", "hits": 1}"#)
      expectError(.notInWriteTransaction) { try realm.upsert(patch) }
      expectError(.notInWriteTransaction) { try realm.freeze().upsert(patch) }
      let memo = try self.patch(#"{"text": "x"}"#, as: PalletMemo.self)
      try realm.write { expectError(.noPrimaryKey) { try realm.upsert(memo) } }
    }
  }

  @Test func upsertInFailedWriteThrowsItsFailure() throws {
    try withPallet { realm, pallet in
      let patch = try patch(#"{"name": "a", "hits": 1}"#)
      expectError(.indexOutOfBounds) {
        try realm.write {
          pallet.tags.remove(at: 9)
          expectError(.indexOutOfBounds) { try realm.upsert(patch) }
        }
      }
      #expect(pallet.hits == 7)
    }
  }

  @Test func deepDocumentsAreRefused() throws {
    func document(_ depth: Int) -> String {
      String(repeating: #"{"text": "t", "next": "#, count: depth) + "null"
        + String(repeating: "}", count: depth)
    }
    let patch = try patch(document(200), as: PalletLog.self)
    try withTemporaryRealm { realm, _ in
      try realm.write { try realm.upsert(patch) }
      #expect(realm.objects(PalletLog.self).count == 200)
    }
    #expect(throws: DecodingError.self) { try self.patch(document(201), as: PalletLog.self) }
  }

  @Test func awaitedWriteUpserts() async throws {
    let patch = try patch(
      #"{"name": "a", "summary": "s", "warmth": 1, "maker": {"mail": "m", "title": "t"}}"#)
    let store = try TemporaryRealm()
    defer { store.end() }
    let realm = try await Realm.open(configuration: store.configuration)
    for _ in 0..<2 { try await realm.write { _ = try realm.upsert(patch) } }
    #expect(realm.objects(Pallet.self).count == 1)
  }

  @Test func nullMakesDecodedCollectionEmpty() throws {
    let pallet = try JSONDecoder().decode(
      Pallet.self,
      from: Data(
        #"{"name": "a", "summary": "s", "warmth": 1, "tags": null, "labels": null, "fields": null, "sizes": null, "depends": null, "degrees": null, "by_role": null, "friends": null}"#
          .utf8))
    #expect(pallet.tags.isEmpty && pallet.fields.isEmpty && pallet.depends.isEmpty)
    let shelf = try JSONDecoder().decode(DefaultShelf.self, from: Data(#"{"items": null}"#.utf8))
    #expect(shelf.items.isEmpty)
    #expect(try Array(JSONDecoder().decode(DefaultShelf.self, from: Data("{}".utf8)).items) == [1])
  }
}

@Model final class DefaultShelf: Object, Codable {
  @Persisted var items = List<Int>([1])
}
