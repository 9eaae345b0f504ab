import Foundation
import Testing
import Varve

/// The primary keys of objects that are added without one.
@Suite struct GeneratedKeyTests {
  @Test func addedObjectGetsNextKey() throws {
    try withTemporaryRealm { realm, store in
      let first = Ticket("a")
      #expect(first.id == 0)
      let second = try realm.write {
        realm.add(first)
        // The object already has its key inside the write.
        #expect(first.id == 1)
        #expect(realm.object(ofType: Ticket.self, forPrimaryKey: 1)?.title == "a")
        return realm.create(Ticket.self, value: ["title": "b"])
      }
      #expect(first.id == 1 && second.id == 2)
      try store.close()
      let again = try store.open()
      #expect(again.objects(Ticket.self).map(\.title) == ["a", "b"])
      try again.write { #expect(again.create(Ticket.self).id == 3) }
    }
  }

  @Test func objectsOfOneWriteGetKeysInOrder() throws {
    try withTemporaryRealm { realm, _ in
      let tickets = (0..<5_000).map { Ticket("\($0)") }
      try realm.write { realm.add(tickets) }
      #expect(tickets.map(\.id) == Array(1...5_000))
      #expect(realm.objects(Ticket.self).map(\.title) == (0..<5_000).map(String.init))
    }
  }

  @Test func explicitGreaterKeyRaisesNextKey() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write {
        #expect(realm.create(Ticket.self, value: ["id": 10]).id == 10)
        #expect(realm.create(Ticket.self).id == 11)
        #expect(realm.create(Ticket.self, value: ["id": 4]).id == 4)
        #expect(realm.create(Ticket.self).id == 12)
        #expect(realm.create(Ticket.self, value: ["id": -7]).id == -7)
      }
      try realm.write { #expect(realm.create(Ticket.self).id == 13) }
      #expect(realm.objects(Ticket.self).map(\.id) == [-7, 4, 10, 11, 12, 13])
    }
  }

  @Test func negativeKeysAreIgnored() throws {
    try withTemporaryRealm { realm, _ in
      let ticket = try realm.write { realm.create(Ticket.self, value: ["id": -5]) }
      try realm.write { #expect(realm.create(Ticket.self).id == 1) }
      try realm.write { realm.delete(ticket) }
      try realm.write { #expect(realm.create(Ticket.self).id == 2) }
    }
  }

  @Test(arguments: [true, false])
  func deletedKeyIsNotReused(reopens: Bool) throws {
    try withTemporaryRealm { realm, store in
      var realm = realm
      func next() throws {
        guard reopens else { return }
        try store.close()
        realm = try store.open()
      }
      try realm.write { for _ in 0..<5 { realm.add(Ticket()) } }
      try next()
      // An object in the middle, then the object with the greatest key, then all.
      for key in [2, 5] {
        try realm.write {
          realm.delete(try #require(realm.object(ofType: Ticket.self, forPrimaryKey: key)))
        }
        try next()
      }
      try realm.write { #expect(realm.create(Ticket.self).id == 6) }
      try next()
      try realm.write { realm.deleteAll() }
      try next()
      try realm.write { #expect(realm.create(Ticket.self).id == 7) }
      try realm.write { realm.delete(realm.objects(Ticket.self)) }
      try next()
      try realm.write { #expect(realm.create(Ticket.self).id == 8) }
    }
  }

  @Test func objectDeletedInItsWriteConsumesKey() throws {
    try withTemporaryRealm { realm, store in
      try realm.write {
        let ticket = realm.create(Ticket.self)
        realm.delete(ticket)
        let next = realm.create(Ticket.self)
        #expect(next.id == 2 && ticket.isInvalidated)
        realm.delete(next)
        realm.delete(realm.create(Ticket.self, value: ["id": 100]))
      }
      try store.check()
      try realm.write { #expect(realm.create(Ticket.self).id == 101) }
    }
  }

  @Test func rolledBackWriteReturnsItsKeys() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write { realm.add([Ticket(), Ticket()]) }
      let lost = Ticket("lost")
      expectCancelled {
        try realm.write {
          realm.add(lost)
          realm.delete(realm.objects(Ticket.self))
          #expect(realm.create(Ticket.self).id == 4)
          throw Cancelled()
        }
      }
      let kept = Ticket("kept")
      try realm.write { realm.add(kept) }
      #expect(kept.id == 3 && kept.title == "kept")
      #expect(lost.isInvalidated && lost.title == "")
      try realm.write {
        realm.add(Ticket())
        realm.cancelWrite()
      }
      try realm.write { #expect(realm.create(Ticket.self).id == 4) }
      try realm.beginWrite()
      realm.add(Ticket())
      realm.cancelWrite()
      try realm.beginWrite()
      #expect(realm.create(Ticket.self).id == 5)
      try realm.commitWrite()
    }
  }

  @Test func failedWriteConsumesNoKeys() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write { realm.add(Ticket()) }
      expectError(.duplicatePrimaryKey) {
        try realm.write {
          realm.add(Ticket())
          realm.create(Ticket.self, value: ["id": 1])
          // The write has failed: nothing more is stored.
          let ticket = Ticket()
          realm.add(ticket)
          #expect(ticket.realm == nil && ticket.id == 0)
        }
      }
      try realm.write { #expect(realm.create(Ticket.self).id == 2) }
    }
  }

  @Test func classesHaveSeparateCounters() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write {
        #expect(realm.create(Ticket.self).id == 1)
        #expect(realm.create(Twig.self).id == 1)
        #expect(realm.create(Document_.self).id == 1)
        #expect(realm.create(Report_.self).id == 1)
        #expect(realm.create(Report_.self).id == 2)
        #expect(realm.create(Document_.self).id == 2)
      }
    }
  }

  // MARK: Values

  @Test func zeroNullAndMissingMeanNoKey() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write {
        #expect(realm.create(Ticket.self, value: ["title": "a"]).id == 1)
        #expect(realm.create(Ticket.self, value: ["id": 0, "title": "b"]).id == 2)
        #expect(realm.create(Ticket.self, value: ["id": NSNull(), "title": "c"]).id == 3)
        #expect(realm.create(Ticket.self, value: [Any?.none as Any, "d"]).id == 4)
        let copy = realm.create(Ticket.self, value: Ticket("e"))
        #expect(copy.id == 5 && copy.title == "e")
        let ticket = Ticket(value: ["id": 9])
        ticket.id = 0
        realm.add(ticket)
        #expect(ticket.id == 6)
      }
      #expect(realm.objects(Ticket.self).map(\.title) == ["a", "b", "c", "d", "e", ""])
      #expect(realm.object(ofType: Ticket.self, forPrimaryKey: 0) == nil)
    }
  }

  @Test(arguments: [Realm.UpdatePolicy.modified, .all])
  func updateWithoutKeyCreatesObject(policy: Realm.UpdatePolicy) throws {
    try withTemporaryRealm { realm, _ in
      try realm.write {
        for name in ["a", "b"] { realm.add(Ticket(name), update: policy) }
        #expect(realm.create(Ticket.self, value: ["title": "c"], update: policy).id == 3)
        #expect(realm.create(Ticket.self, value: ["id": 2, "title": "B"], update: policy).id == 2)
        #expect(realm.create(Ticket.self, value: ["id": 8, "title": "h"], update: policy).id == 8)
        let null: [String: Any] = ["id": NSNull(), "title": "i"]
        #expect(realm.create(Ticket.self, value: null, update: policy).id == 9)
      }
      #expect(realm.objects(Ticket.self).map(\.title) == ["a", "B", "c", "h", "i"])
    }
  }

  @Test func duplicateExplicitKeyIsRejected() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write { realm.add(Ticket()) }
      let error = thrownError { try realm.write { realm.create(Ticket.self, value: ["id": 1]) } }
      #expect(error?.code == .duplicatePrimaryKey && error?.value == "1")
      expectError(.primaryKeyChanged) {
        try realm.write { realm.objects(Ticket.self).first?.id = 7 }
      }
      expectError(.primaryKeyChanged) {
        try realm.write { realm.objects(Ticket.self).first?["id"] = NSNull() }
      }
    }
  }

  @Test func dynamicObjectsGetKeys() throws {
    try withTemporaryRealm { realm, _ in
      func key(_ value: [String: Any]) -> Int? {
        let ticket: DynamicObject = realm.dynamicCreate("Ticket", value: value)
        return ticket["id"] as? Int
      }
      try realm.write { realm.add(Ticket("a")) }
      try realm.write {
        #expect(key(["title": "b"]) == 2)
        #expect(key(["id": NSNull()]) == 3)
        #expect(key(["id": 7]) == 7)
        #expect(key([:]) == 8)
      }
    }
  }

  @Test func customKeyTypesAreGenerated() throws {
    try withTemporaryRealm { realm, _ in
      let invoice = Invoice()
      #expect(invoice.number == InvoiceNumber(0))
      try realm.write {
        realm.add(invoice)
        realm.create(Invoice.self, value: ["number": 7])
        realm.create(Invoice.self, value: ["number": InvoiceNumber(0)])
      }
      #expect(realm.objects(Invoice.self).map(\.number.number) == [1, 7, 8])
      let found = realm.object(ofType: Invoice.self, forPrimaryKey: InvoiceNumber(1))
      #expect(found == invoice)
    }
  }

  @Test func jsonWithoutKeyIsDecoded() throws {
    try withTemporaryRealm { realm, _ in
      func decoded(_ text: String) throws -> Note_ {
        try JSONDecoder().decode(Note_.self, from: Data(text.utf8))
      }
      let letters = try [
        #"{"text":"a"}"#, #"{"id":null,"text":"b"}"#, #"{"id":0,"text":"c"}"#,
        #"{"id":9,"text":"d"}"#, #"{"text":"e"}"#,
      ].map(decoded)
      #expect(letters.map(\.id) == [0, 0, 0, 9, 0])
      try realm.write { realm.add(letters) }
      #expect(letters.map(\.id) == [1, 2, 3, 9, 10])
      let text = String(decoding: try JSONEncoder().encode(letters[1]), as: UTF8.self)
      #expect(text.contains(#""id":2"#))
      let refused = Result { try decoded(#"{"id":"x","text":"a"}"#) }
      #expect(throws: DecodingError.self, performing: refused.get)
      let invoice = try JSONDecoder().decode(Invoice.self, from: Data("{}".utf8))
      #expect(invoice.number.number == 0)
    }
  }

  // MARK: Identity

  @Test func objectsWithoutKeysAreNotEqual() throws {
    try withTemporaryRealm { realm, _ in
      let (a, b) = (Ticket("a"), Ticket("b"))
      #expect(a != b && a == a && Set([a, b]).count == 2)
      #expect(a != Ticket(value: ["id": 1]) && Ticket(value: ["id": 1]) != a)
      let twig = Twig("root")
      twig.tickets.insert(objectsIn: [a, b, a])
      #expect(twig.tickets.count == 2)
      try realm.write { realm.add(twig) }
      #expect(twig.tickets.map(\.title).sorted() == ["a", "b"])
      #expect(a == realm.object(ofType: Ticket.self, forPrimaryKey: a.id) && a != b)
    }
  }

  // MARK: Exhausted key types

  private func fillUp<O: Object, K: FixedWidthInteger & RealmCollectionValue>(
    _ type: O.Type, _ key: ReferenceWritableKeyPath<O, K>
  ) throws {
    try withTemporaryRealm { realm, store in
      let last = O()
      last[keyPath: key] = K.max - 1
      try realm.write {
        realm.add(last)
        let next = O()
        realm.add(next)
        #expect(next[keyPath: key] == .max)
      }
      for _ in 0..<2 {
        let error = thrownError { try realm.write { realm.add(O()) } }
        #expect(error?.code == .valueTooLarge, "\(O.self)")
        #expect(error?.className == O.className() && error?.propertyName == "id")
        #expect(error?.value == "\(K.max)")
        // Nor after the greatest key is deleted.
        try realm.write { realm.delete(realm.objects(O.self)) }
      }
      // An object with an explicit key is stored.
      let low = O()
      low[keyPath: key] = 1
      try realm.write { realm.add(low) }
      try store.check()
      expectError(.valueTooLarge) { try realm.write { realm.add(O(), update: .modified) } }
    }
  }

  @Test func exhaustedKeyTypeFailsWrite() throws {
    try fillUp(Narrow.Int8_.self, \.id)
    try fillUp(Narrow.Int16_.self, \.id)
    try fillUp(Narrow.Int32_.self, \.id)
    try fillUp(Narrow.Int64_.self, \.id)
    try fillUp(Ticket.self, \.id)
  }

  @Test func narrowTypeUsesAllItsKeys() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write { for _ in 1...127 { realm.add(Narrow.Int8_()) } }
      #expect(realm.objects(Narrow.Int8_.self).map(\.id) == Array(1...127))
    }
  }
}
