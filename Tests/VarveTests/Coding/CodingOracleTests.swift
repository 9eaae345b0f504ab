import Foundation
import Testing
import Varve

private struct Page<Item: Codable>: Codable {
  var items: [Item]
  var total: Int
}

private struct EncodedPage<Items: Encodable>: Encodable {
  var items: Items
  var total: Int
}

private struct DecodedPage<Items: Decodable>: Decodable {
  var items: Items
  var total: Int
}

/// Models are coded as structures are that the compiler codes.
struct CodingOracleTests {
  /// The strategies of an encoder and of the decoder that reads its output.
  struct Strategies: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let encoder: @Sendable (JSONEncoder) -> Void
    let decoder: @Sendable (JSONDecoder) -> Void
  }

  static let strategies = [
    Strategies(testDescription: "default", encoder: { _ in }, decoder: { _ in }),
    Strategies(
      testDescription: "snake case", encoder: { $0.keyEncodingStrategy = .convertToSnakeCase },
      decoder: { $0.keyDecodingStrategy = .convertFromSnakeCase }),
    Strategies(
      testDescription: "seconds", encoder: { $0.dateEncodingStrategy = .secondsSince1970 },
      decoder: { $0.dateDecodingStrategy = .secondsSince1970 }),
    Strategies(
      testDescription: "milliseconds",
      encoder: { $0.dateEncodingStrategy = .millisecondsSince1970 },
      decoder: { $0.dateDecodingStrategy = .millisecondsSince1970 }),
    Strategies(
      testDescription: "ISO 8601", encoder: { $0.dateEncodingStrategy = .iso8601 },
      decoder: { $0.dateDecodingStrategy = .iso8601 }),
    Strategies(
      testDescription: "dates with their paths",
      encoder: {
        $0.dateEncodingStrategy = .custom { date, encoder in
          var container = encoder.unkeyedContainer()
          try container.encode(date.timeIntervalSinceReferenceDate)
          try container.encode(encoder.codingPath.last?.stringValue)
        }
      },
      decoder: {
        $0.dateDecodingStrategy = .custom { decoder in
          var container = try decoder.unkeyedContainer()
          return Date(timeIntervalSinceReferenceDate: try container.decode(Double.self))
        }
      }),
    Strategies(
      testDescription: "data as arrays", encoder: { $0.dataEncodingStrategy = .deferredToData },
      decoder: { $0.dataDecodingStrategy = .deferredToData }),
  ]

  /// The specimen in all states of an object, one after the other.
  private func forEachState(
    of document: String, _ body: (Specimen, Realm?, String) throws -> Void
  ) throws {
    let specimen: Specimen = try decoded(document)
    try body(specimen, nil, "unmanaged")
    try withTemporaryRealm { realm, store in
      try realm.write {
        realm.add(specimen, update: .modified)
        try body(specimen, realm, "in write")
      }
      try body(specimen, realm, "managed")
      try body(specimen.freeze(), realm, "frozen")
      let other = try store.open()
      try other.write {
        let text = specimen.someText
        let same = other.object(ofType: Specimen.self, forPrimaryKey: specimen.id)
        same?.someText = "changed"
        same?.someText = text
        _ = other.create(Specimen.self, value: ["id": 99])
      }
      try realm.refresh()
      try body(specimen, realm, "after a commit")
    }
  }

  @Test(arguments: strategies, [SpecimenDocuments.full, SpecimenDocuments.sparse])
  func objectIsEncodedLikeStructure(_ strategies: Strategies, _ document: String) throws {
    let oracle: SpecimenOracle = try decoded(document)
    let text = try sortedJSON(oracle, strategies.encoder)
    let page = try sortedJSON(Page(items: [oracle], total: 1), strategies.encoder)
    try forEachState(of: document) { (specimen, realm, state) throws in
      #expect(try sortedJSON(specimen, strategies.encoder) == text, "\(state)")
      #expect(
        try sortedJSON(Page(items: [specimen], total: 1), strategies.encoder) == page, "\(state)")
      #expect(try sortedJSON(["aB": specimen], strategies.encoder) == #"{"aB":\#(text)}"#)
      guard let realm else { return }
      let results = realm.objects(Specimen.self).where { $0.id == specimen.id }
      #expect(
        try sortedJSON(EncodedPage(items: results, total: 1), strategies.encoder) == page,
        "\(state)")
      // Frozen inside a write, results are those before it.
      if realm.isInWriteTransaction { return }
      #expect(
        try sortedJSON(EncodedPage(items: results.freeze(), total: 1), strategies.encoder) == page,
        "\(state)")
    }
  }

  @Test(arguments: strategies, [SpecimenDocuments.full, SpecimenDocuments.sparse])
  func objectIsDecodedLikeStructure(_ strategies: Strategies, _ document: String) throws {
    let text = try sortedJSON(try decoded(document, as: SpecimenOracle.self), strategies.encoder)
    let oracle: SpecimenOracle = try decoded(text, strategies.decoder)
    let result = try sortedJSON(oracle)
    #expect(try sortedJSON(decoded(text, as: Specimen.self, strategies.decoder)) == result)
    let page: Page<Specimen> = try decoded(#"{"items":[\#(text)],"total":1}"#, strategies.decoder)
    #expect(try sortedJSON(page.items) == "[\(result)]")
    let patch: ObjectPatch<Specimen> = try decoded(text, strategies.decoder)
    let merged = withoutNullEntries(result)
    try withTemporaryRealm { realm, _ in
      let specimen = try realm.write { try realm.upsert(patch) }
      #expect(try sortedJSON(specimen) == merged)
      try realm.write { try realm.upsert(patch) }
      #expect(try sortedJSON(specimen) == merged)
    }
  }

  @Test func collectionsAreCodedLikeArraysAndDictionaries() throws {
    let oracle: SpecimenOracle = try decoded(SpecimenDocuments.full)
    try forEachState(of: SpecimenDocuments.full) { (specimen, _, state) throws in
      func expect(_ items: some Encodable, _ expected: some Encodable) throws {
        #expect(
          try sortedJSON(EncodedPage(items: items, total: 1))
            == sortedJSON(EncodedPage(items: expected, total: 1)), "\(state)")
      }
      try expect(specimen.numbers, oracle.numbers)
      try expect(specimen.optNumbers, oracle.optNumbers)
      try expect(specimen.dates, oracle.dates)
      try expect(specimen.labels, oracle.labels)
      try expect(specimen.byName, oracle.byName)
      try expect(specimen.dateByName, oracle.dateByName)
      try expect(specimen.partList, oracle.partList)
      try expect(specimen.partMap, oracle.partMap)
      try expect(specimen.linkList, oracle.linkList)
      try expect(specimen.linkMap, oracle.linkMap)
    }
    func expect<Items: Codable>(_ type: Items.Type, _ items: some Encodable) throws {
      let text = try sortedJSON(EncodedPage(items: items, total: 1))
      let page: DecodedPage<Items> = try decoded(text)
      #expect(try sortedJSON(EncodedPage(items: page.items, total: 1)) == text)
    }
    try expect(List<Int>.self, oracle.numbers)
    try expect(MutableSet<String>.self, oracle.labels)
    try expect(Map<String, Date>.self, oracle.dateByName)
    try expect(List<SpecimenPart>.self, oracle.partList)
    try expect(Map<String, SpecimenLink?>.self, oracle.linkMap)
  }

  @Test(arguments: [SpecimenDocuments.full, SpecimenDocuments.sparse])
  func propertyListsAreCodedLikeStructures(_ document: String) throws {
    let oracle: SpecimenOracle = try decoded(document)
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    let decoder = PropertyListDecoder()
    let text = try sortedJSON(oracle)
    try forEachState(of: document) { (specimen, _, state) throws in
      let data = try encoder.encode(specimen)
      #expect(try sortedJSON(decoder.decode(SpecimenOracle.self, from: data)) == text, "\(state)")
      #expect(try sortedJSON(decoder.decode(Specimen.self, from: data)) == text, "\(state)")
    }
    let patch = try decoder.decode(ObjectPatch<Specimen>.self, from: try encoder.encode(oracle))
    try withTemporaryRealm { realm, _ in
      let specimen = try realm.write { try realm.upsert(patch) }
      #expect(try sortedJSON(specimen) == withoutNullEntries(text))
    }
  }

  /// A patch removes the entries of maps whose values are null.
  private func withoutNullEntries(_ text: String) -> String {
    text.replacing(#","z":null"#, with: "").replacing(#","n":null"#, with: "")
  }

  /// Property lists have dates and data, which JSON has not.
  @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func mixedValuesAreCodedInPropertyLists(_ format: PropertyListSerialization.PropertyListFormat)
    throws
  {
    let value: AnyRealmValue = [
      "date": .date(Date(timeIntervalSinceReferenceDate: 5)), "data": .data(Data([1, 2])),
      "list": [1, true, 1.5, "a", .none, ["x": .date(Date(timeIntervalSinceReferenceDate: 6))]],
    ]
    let encoder = PropertyListEncoder()
    encoder.outputFormat = format
    let data = try encoder.encode(["value": value])
    let read = try PropertyListDecoder().decode([String: AnyRealmValue].self, from: data)
    #expect(read["value"]?["date"] == .date(Date(timeIntervalSinceReferenceDate: 5)))
    #expect(read["value"]?["data"] == .data(Data([1, 2])))
    let list = try #require(read["value"]?["list"]?.listValue)
    #expect(list[0] == 1 && list[1] == true && list[2] == 1.5 && list[3] == "a")
    #expect(list[4] == .none && list[5]["x"] == .date(Date(timeIntervalSinceReferenceDate: 6)))
  }

  /// An edit of the full document: what it replaces, and by what.
  static let faults = [
    (#""flag":true"#, #""flag":1"#), (#""flag":true"#, #""flag":null"#),
    (#""tiny":-8"#, #""tiny":300"#), (#""tiny":-8"#, #""tiny":"1""#),
    (#""doubleNumber":2.25"#, #""doubleNumber":[]"#), (#""someData":"AQI=""#, #""someData":"%""#),
    (#""createdAt":1000.5"#, #""createdAt":"x""#), (#""uuidValue":"E"#, #""uuidValue":"Z"#),
    (#""shade":"deep_blue""#, #""shade":"green""#), (#""optShade":"red""#, #""optShade":5"#),
    (#""optTiny":4"#, #""optTiny":400"#), (#""wrapped":2000.5"#, #""wrapped":"x""#),
    (#""wrapped":2000.5"#, #""wrapped":null"#), (#""optWrapped":"AQ==""#, #""optWrapped":7"#),
    (#""numbers":[1,2,1]"#, #""numbers":[1,"x"]"#), (#""numbers":[1,2,1]"#, #""numbers":[null]"#),
    (#""numbers":[1,2,1]"#, #""numbers":{}"#), (#""optNumbers":[null,1]"#, #""optNumbers":["x"]"#),
    (#""dates":[0,1.5]"#, #""dates":[0,"x"]"#), (#""labels":["a","b"]"#, #""labels":["a",1]"#),
    (#""byName":{"a_b":1,"cD":2}"#, #""byName":{"a_b":"x"}"#),
    (#""byName":{"a_b":1,"cD":2}"#, #""byName":[]"#),
    (#""dateByName":{"aB":3}"#, #""dateByName":{"aB":"x"}"#),
    (#""onePart":{"partName":"p""#, #""onePart":{"partName":5"#),
    (#""onePart":{"partName":"p","unitPrice":1.5}"#, #""onePart":[]"#),
    (#"{"partName":"r","unitPrice":2}"#, #"{"partName":"r","unitPrice":"x"}"#),
    (#"{"partName":"r","unitPrice":2}"#, "null"), (#"{"partName":"r","unitPrice":2}"#, "5"),
    (#"{"partName":"m","unitPrice":3}"#, #"{"partName":null,"unitPrice":3}"#),
    (#""oneLink":{"linkNumber":4"#, #""oneLink":{"linkNumber":"x""#),
    (
      #"{"linkNumber":2,"startedAt":5},{"linkNumber":2,"startedAt":5}"#,
      #"{"linkNumber":2,"startedAt":5},{"linkNumber":2,"startedAt":"x"}"#
    ),
    (#"{"linkNumber":3,"startedAt":6}"#, #"{"linkNumber":3,"startedAt":{}}"#),
  ]

  /// The kind of a decoding error, with the type and the path.
  private func fault(_ decode: () throws -> Void) -> String? {
    func text(_ name: String, _ type: Any.Type?, _ context: DecodingError.Context) -> String {
      let path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
      return "\(name) \(type.map { "\($0)" } ?? "") \(path.joined(separator: "."))"
    }
    do {
      try decode()
      return nil
    } catch DecodingError.typeMismatch(let type, let context) {
      return text("mismatch", type, context)
    } catch DecodingError.valueNotFound(let type, let context) {
      return text("null", type, context)
    } catch DecodingError.dataCorrupted(let context) {
      return text("corrupted", nil, context)
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: faults) func errorsAreThoseOfStructures(_ from: String, _ to: String) throws {
    let document = SpecimenDocuments.full.replacing(from, with: to)
    #expect(document != SpecimenDocuments.full)
    let expected = try #require(fault { _ = try decoded(document, as: SpecimenOracle.self) })
    #expect(fault { _ = try decoded(document, as: Specimen.self) } == expected)
    #expect(fault { _ = try decoded(document, as: ObjectPatch<Specimen>.self) } == expected)
    let page = #"{"items":[\#(SpecimenDocuments.full),\#(document)],"total":1}"#
    let ofPage = try #require(fault { _ = try decoded(page, as: Page<SpecimenOracle>.self) })
    #expect(fault { _ = try decoded(page, as: Page<Specimen>.self) } == ofPage)
    #expect(
      fault { _ = try decoded(page, as: DecodedPage<[ObjectPatch<Specimen>]>.self) } == ofPage)
  }
}
