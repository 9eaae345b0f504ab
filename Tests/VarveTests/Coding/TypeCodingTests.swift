import Foundation
import Synchronization
import Testing
import Varve

@Suite(.serialized) struct TypeCodingTests {
  private func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private func weather() -> Weather {
    let weather = Weather()
    weather.temperature = Warmth(degrees: 20.5)
    weather.history.append(objectsIn: [Warmth(degrees: 1), Warmth(degrees: 2)])
    weather.byPlace["aB_c"] = Warmth(degrees: 3)
    weather.season = .autumn
    weather.seasons.insert(.spring)
    weather.amount = 1.5
    weather.data = Data([1, 2])
    weather.count.value = 4
    return weather
  }

  @Test func noncodableTypesUseTheirStoredValue() throws {
    let weather = weather()
    let text = try json(weather)
    #expect(
      text
        == #"{"amount":"1.5","byPlace":{"aB_c":3},"count":4,"data":"AQI=","history":[1,2],"id":"\#(weather.id)","limit":null,"season":"autumn","seasons":["spring"],"temperature":20.5}"#
    )
    let read = try JSONDecoder().decode(Weather.self, from: Data(text.utf8))
    #expect(read.temperature.degrees == 20.5)
    #expect(read.limit == nil)
    #expect(read.history.map(\.degrees) == [1, 2])
    #expect(read.season == .autumn)
    #expect(read.seasons.contains(.spring))
    #expect(read.count.value == 4)
    #expect(try json(read) == text)
    try withTemporaryRealm { realm, _ in
      try realm.write { realm.add(read) }
      #expect(try json(read) == text)
      #expect(try json(read.freeze()) == text)
    }
  }

  @Test func unknownEnumerationCaseThrows() throws {
    let text = try json(weather()).replacing("autumn", with: "winter")
    var found: DecodingError.Context?
    do {
      _ = try JSONDecoder().decode(Weather.self, from: Data(text.utf8))
    } catch DecodingError.dataCorrupted(let context) {
      found = context
    } catch {
      Issue.record(error)
    }
    #expect(
      found?.debugDescription
        == "Property 'Weather.season': The value \"winter\" is not valid for the property.")
    #expect(found?.codingPath.map(\.stringValue) == ["season"])
  }

  @Test func errorsNameClassAndProperty() {
    var found: DecodingError.Context?
    do {
      _ = try JSONDecoder().decode(Book2.self, from: Data(#"{"pages":"many"}"#.utf8))
    } catch DecodingError.typeMismatch(_, let context) {
      found = context
    } catch {
      Issue.record(error)
    }
    #expect(found?.debugDescription.hasPrefix("Property 'Book2.pages': ") == true)
  }

  @Test func mapKeysAreNotConverted() throws {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let data = try encoder.encode(weather())
    let text = String(decoding: data, as: UTF8.self)
    #expect(text.contains(#""by_place":{"aB_c":3}"#))
    let map = Map<String, Int>()
    map["aB_c"] = 1
    #expect(String(decoding: try encoder.encode(["m": map]), as: UTF8.self) == #"{"m":{"aB_c":1}}"#)
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let read = try decoder.decode(
      [String: Map<String, Int>].self, from: Data(#"{"m":{"a_b":1}}"#.utf8))
    #expect(read["m"]?.keys == ["a_b"])
  }

  /// The error text of an encoder for an object that it cannot encode.
  private func refusal(of object: some Encodable) -> String? {
    do {
      _ = try json(object)
      return nil
    } catch {
      return String(describing: error)
    }
  }

  @Test func overlongChainOfLinksThrows() throws {
    try withTemporaryRealm { realm, _ in
      var links: [Chained] = []
      try realm.write {
        for _ in 0..<5000 {
          let link = realm.create(Chained.self)
          if let last = links.last { link.next.append(last) }
          links.append(link)
        }
      }
      #expect(try json(links[100]).hasPrefix(#"{"next":[{"next":"#))
      let last = links[4999]
      let refusal = refusal(of: last)
      #expect(refusal?.contains("more than 200 levels deep") == true)
      // All instances for one object have the same identity.
      let again = try #require(realm.objects(Chained.self).first)
      #expect(again.id == links[0].id && links[0].id != links[1].id)
      let unmanaged = [Chained(), Chained()]
      #expect(unmanaged[0].id != unmanaged[1].id)
    }
  }

  @Test func resultsAreEncodedInOrder() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write {
        for number in [3, 1, 2] { realm.create(Book2.self, value: ["pages": number]) }
      }
      let results = realm.objects(Book2.self).sorted(by: \.pages)
      #expect(try json(results) == #"[{"pages":1},{"pages":2},{"pages":3}]"#)
      #expect(try json(results.freeze()) == #"[{"pages":1},{"pages":2},{"pages":3}]"#)
    }
  }

  @Test func encodedObjectsAreReleased() throws {
    try withTemporaryRealm { realm, _ in
      let shelf = CountedShelf()
      try realm.write {
        realm.add(shelf)
        for number in 0..<3000 {
          shelf.items.append(realm.create(Counted.self, value: ["number": number]))
        }
      }
      func most(_ value: some Encodable) throws -> Int {
        Counted.most.store(0, ordering: .relaxed)
        let before = Counted.living.load(ordering: .relaxed)
        _ = try JSONEncoder().encode(value)
        return Counted.most.load(ordering: .relaxed) - before
      }
      #expect(try most(realm.objects(Counted.self)) < 100)
      #expect(try most(shelf.items) < 100)
      #expect(try most(realm.objects(Counted.self).sorted(by: \.number)) < 100)
    }
  }

  /// JSON has no dates, and its numbers have any number of digits.
  @Test func valuesUnsupportedByJSONAreStringsOrRejected() throws {
    try withTemporaryRealm { realm, _ in
      let text = #"{"when":"2024-01-31T12:00:00.5Z","day":"2024-01-31","any":1.5}"#
      let json = try JSONSerialization.jsonObject(with: Data(text.utf8))
      try realm.write { _ = realm.create(Dated.self, value: json) }
      let dated = try #require(realm.objects(Dated.self).first)
      #expect(dated.when == Date(timeIntervalSinceReferenceDate: 728_395_200.5))
      #expect(dated.day == Date(timeIntervalSinceReferenceDate: 728_352_000))
      let wrong = thrownError {
        try realm.write { _ = realm.create(Dated.self, value: ["when": "tomorrow"]) }
      }
      #expect(wrong?.code == .typeMismatch && wrong?.details == ["expected Date?"])
      let large = try JSONSerialization.jsonObject(
        with: Data(#"{"any":12345678901234567890}"#.utf8))
      expectError(.typeMismatch) { try realm.write { _ = realm.create(Dated.self, value: large) } }
      try realm.write { dated.text = "" }
      try realm.write { _ = realm.create(Dated.self, value: ["text": "abc".prefix(2)]) }
      #expect(realm.objects(Dated.self).last?.text == "ab")
    }
  }

  @Test func jsonSerializationOutputIsAccepted() throws {
    try withTemporaryRealm { realm, _ in
      let text =
        #"{"name":"a","favorite":{"number":"1"},"books":[{"number":2,"title":"t"}],"byYear":{"x":null},"address":{"street":"s"},"anything":[1]}"#
      let wrong = try JSONSerialization.jsonObject(with: Data(text.utf8))
      expectError(.typeMismatch) { try realm.write { _ = realm.create(Author.self, value: wrong) } }
      let right = try JSONSerialization.jsonObject(
        with: Data(text.replacing(#""1""#, with: "1").utf8))
      try realm.write { _ = realm.create(Author.self, value: right) }
      let author = try #require(realm.objects(Author.self).first)
      #expect(author.favorite?.number == 1)
      #expect(author.books.first?.title == "t")
      #expect(author.byYear.count == 1)
      #expect(author.address?.street == "s")
      #expect(author.anything.listValue?.first == .int(1))
    }
  }
}

@Model final class Dated: Object {
  @Persisted var when: Date?
  @Persisted var day: Date?
  @Persisted var any: AnyRealmValue
  @Persisted var text: String
}

@Model final class Chained: Object, Codable, ObjectKeyIdentifiable {
  @Persisted var next: List<Chained>
}

@Model final class Book2: Object, Codable {
  @Persisted var pages: Int
}
