import Foundation
import Testing
import Varve

struct LinkCodingTests {
  private func encoder(_ links: LinkCoding?) -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    if let links { encoder.userInfo[.varveLinks] = links }
    return encoder
  }

  private func json(_ value: some Encodable, _ links: LinkCoding? = .keys) throws -> String {
    String(decoding: try encoder(links).encode(value), as: UTF8.self)
  }

  private func decode<Value: Decodable>(
    _ text: String, _ links: LinkCoding? = .keys, in realm: Realm? = nil
  ) throws -> Value {
    let decoder = JSONDecoder()
    if let links { decoder.userInfo[.varveLinks] = links }
    if let realm { decoder.userInfo[.varveRealm] = realm }
    return try decoder.decode(Value.self, from: Data(text.utf8))
  }

  private func decodingError(_ call: () throws -> Author) -> DecodingError.Context? {
    do {
      _ = try call()
      return nil
    } catch DecodingError.dataCorrupted(let context) {
      return context
    } catch DecodingError.typeMismatch(_, let context) {
      return context
    } catch DecodingError.valueNotFound(_, let context) {
      return context
    } catch {
      return nil
    }
  }

  /// An author with links of every kind.
  private func author() -> Author {
    let author = Author()
    author.name = "Ada"
    let books = (1...3).map { Book(value: ["number": $0, "title": "b\($0)"]) }
    author.favorite = books[0]
    author.books.append(objectsIn: [books[2], books[1], books[2]])
    author.shelf.insert(books[1])
    author.byYear["1"] = books[0]
    author.byYear["2"] = .some(nil)
    author.address = Address(value: ["street": "s", "neighbour": author])
    author.anything = .object(books[2])
    author.pile.append(objectsIn: [.int(5), .object(author), .none])
    return author
  }

  private let text =
    #"{"address":{"neighbour":"Ada","street":"s"},"anything":{"$link":{"class":"Book","key":3}},"books":[3,2,3],"byYear":{"1":1,"2":null},"favorite":1,"name":"Ada","pile":[5,{"$link":{"class":"Author","key":"Ada"}},null],"shelf":[2]}"#

  @Test func linksAreEncodedAsKeys() throws {
    let author = author()
    #expect(try json(author) == text)
    try withTemporaryRealm { realm, _ in
      try realm.write { realm.add(author) }
      #expect(try json(author) == text)
      #expect(try json(author.freeze()) == text)
      try realm.write {
        let written = try json(author)
        #expect(written == text)
      }
    }
  }

  @Test func keysAreDecodedAsObjectsOfRealm() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write { realm.add(author()) }
      let read: Author = try decode(text, in: realm)
      #expect(read.realm == nil)
      #expect(read.favorite?.realm == realm)
      #expect(read.favorite?.title == "b1")
      #expect(read.books.map(\.title) == ["b3", "b2", "b3"])
      #expect(read.shelf.map(\.title) == ["b2"])
      #expect(read.byYear["1"]??.title == "b1")
      #expect(read.byYear.count == 2)
      #expect(read.address?.neighbour?.books.count == 3)
      guard case .object(let object) = read.anything else {
        Issue.record("no object")
        return
      }
      #expect((object as? Book)?.title == "b3")
      #expect(try json(read) == text)
    }
  }

  @Test func keysAreDecodedAsKeyOnlyObjectsWithoutRealm() throws {
    let read: Author = try decode(text)
    #expect(read.favorite?.number == 1)
    #expect(read.favorite?.title == "untitled")
    #expect(try json(read) == text)
    // Added with an update policy, the links resolve to the realm's objects with the same keys.
    try withTemporaryRealm { realm, _ in
      try realm.write { realm.add(author()) }
      try realm.write { realm.add(read, update: .modified) }
      #expect(realm.objects(Book.self).count == 3)
      #expect(read.books.map(\.title) == ["b3", "b2", "b3"])
    }
  }

  @Test func keyMissingFromRealmThrows() throws {
    try withTemporaryRealm { realm, _ in
      let error = decodingError { try decode(#"{"name":"a","favorite":7}"#, in: realm) }
      #expect(
        error?.debugDescription
          == "Property 'Author.favorite': The realm has no object of class 'Book' with the key 7.")
      let second = decodingError { try decode(#"{"name":"a","books":[7]}"#, in: realm) }
      #expect(second?.debugDescription.hasPrefix("Property 'Author.books': ") == true)
    }
  }

  @Test func mistypedKeyThrows() {
    for (text, property) in [
      (#"{"name":"a","favorite":"x"}"#, "favorite"), (#"{"name":"a","books":[null]}"#, "books"),
      (#"{"name":"a","byYear":{"a":{}}}"#, "byYear"), (#"{"name":"a","shelf":5}"#, "shelf"),
      (#"{"name":"a","anything":{"$link":{"class":"None","key":1}}}"#, "anything"),
    ] {
      let error = decodingError { try decode(text) }
      #expect(error?.debugDescription.hasPrefix("Property 'Author.\(property)': ") == true)
    }
  }

  @Test func dictionariesAndLinksAreDistinguished() throws {
    let author = Author(value: ["name": "a"])
    let book = Book(value: ["number": 1])
    author.anything = [
      "sizes": [1], "class": "Book", "key": 1, "link": ["class": "Book", "key": 1], "none": [:],
      "deep": [["book": .object(book)], ["class": "Book", "key": 1]],
    ]
    author.pile.append(objectsIn: [["class": "Book", "key": 1], [], .object(book)])
    let text = try json(author)
    let read: Author = try decode(text)
    #expect(try json(read) == text)
    let values = try #require(read.anything.dictionaryValue)
    #expect(values.keys == ["class", "deep", "key", "link", "none", "sizes"])
    #expect(values["sizes"]?[0] == 1)
    #expect(values["link"]?["class"] == "Book")
    #expect(values["deep"]?[0]?["book"]?.object(Book.self)?.number == 1)
    #expect(values["deep"]?[1]?["key"] == 1)
    #expect(read.pile[0]["key"] == 1)
    #expect(read.pile[2].object(Book.self)?.number == 1)
    try withTemporaryRealm { realm, _ in
      try realm.write { realm.add(author) }
      #expect(try json(author) == text)
    }
  }

  @Test func nestedLinkToUnknownClassThrows() {
    for text in [
      #"{"$link":{"class":"None","key":1}}"#, #"[[{"$link":{"class":"None","key":1}}]]"#,
      #"{"a":{"$link":{"class":"None","key":1}}}"#,
    ] {
      let error = decodingError { try decode(#"{"name":"a","anything":\#(text)}"#) }
      #expect(error?.debugDescription.contains("no class 'None'") == true, "\(text)")
    }
  }

  @Test func classWithoutKeyCannotBeEncodedByKey() throws {
    let note = Note(value: ["text": "a", "about": ["text": "b"]])
    var found: EncodingError.Context?
    do {
      _ = try json(note)
    } catch EncodingError.invalidValue(_, let context) {
      found = context
    }
    #expect(
      found?.debugDescription
        == "Property 'Note.about': Class 'Note' has no primary key to encode its objects by.")
    #expect(try json(note, .nested) == #"{"about":{"about":null,"text":"b"},"text":"a"}"#)
    #expect(throws: DecodingError.self) {
      let _: Note = try decode(#"{"text":"a","about":"b"}"#)
    }
  }

  @Test func cyclesEncodeByKeyAndThrowWhenNested() throws {
    try withTemporaryRealm { realm, _ in
      let (first, second) = (Chain(), Chain())
      first.next = second
      second.next = first
      try realm.write { realm.add(first) }
      let text = try json(first)
      #expect(
        text
          == #"{"id":"\#(first.id)","next":"\#(second.id)","previous":["\#(second.id)"]}"#)
      var isCycle = false
      do {
        _ = try json(first, nil)
      } catch is EncodingError {
        isCycle = true
      }
      #expect(isCycle)
      // Linking objects are not decoded.
      let read: Chain = try decode(text, in: realm)
      #expect(read.next?.id == second.id)
    }
  }

  @Test func linkingObjectsEncodeAsKeys() throws {
    try withTemporaryRealm { realm, _ in
      let ring = Chain()
      ring.next = ring
      try realm.write { realm.add(ring) }
      #expect(try json(ring.previous, nil) == #"["\#(ring.id)"]"#)
      #expect(try json(Chain().previous, nil) == "[]")
    }
  }

  @Test func nestedLinksOmitUnencodableObjects() throws {
    let ring = Chain()
    ring.next = Chain()
    #expect(
      try json(ring, nil)
        == #"{"id":"\#(ring.id)","next":{"id":"\#(ring.next?.id ?? UUID())","next":null}}"#)
    let author = Author(value: ["name": "a", "favorite": ["number": 1]])
    let text = try json(author, nil)
    #expect(!text.contains("favorite"))
    #expect(!text.contains("books"))
  }
}
