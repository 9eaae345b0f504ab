import Testing
import Varve
import VarveTestSupport

@Model final class Permit: Object {
  @Persisted(primaryKey: true, autoIncrement: true) var id: Int16
  @Persisted var text = ""
}

/// Generated keys in JSON Lines.
@Suite struct GeneratedKeyTransferTests {
  private func withPermits(
    deleting keys: [Int16], _ body: (TransferDirectory, Realm) throws -> Void
  ) throws {
    try TransferDirectory.with { directory in
      let realm = try directory.open("a.varve", [Permit.self, Place.self])
      try realm.write { for _ in 0..<4 { realm.add(Permit()) } }
      try realm.write {
        for key in keys {
          realm.delete(try #require(realm.object(ofType: Permit.self, forPrimaryKey: key)))
        }
      }
      try body(directory, realm)
    }
  }

  private func next(_ realm: Realm) throws -> Int16 {
    try realm.write { realm.create(Permit.self).id }
  }

  @Test(arguments: [[], [2], [4], [3, 4], [1, 2, 3, 4]])
  func importContinuesKeySequenceOfExport(deleted: [Int16]) throws {
    try withPermits(deleting: deleted) { directory, realm in
      let text = try directory.text(realm)
      #expect(text.contains(#""lastKey":4"#) == deleted.contains(4))
      let copy = try directory.importing(text)
      #expect(try directory.text(copy) == text)
      #expect(try next(copy) == 5)
      #expect(try next(realm) == 5)
    }
  }

  @Test func headerMatchesDocumentation() throws {
    try withPermits(deleting: [4]) { directory, realm in
      let text = try directory.text(realm)
      let permit =
        #"{"name":"Permit","objects":3,"lastKey":4,"properties":[{"name":"id","type":"int16","primaryKey":true,"autoIncrement":true},{"name":"text","type":"string"}]}"#
      #expect(text.contains(permit))
    }
  }

  @Test func keysOfOmittedObjectsStayUsed() throws {
    try withPermits(deleting: [2]) { directory, realm in
      let text = try directory.text(realm, classes: ["Place"])
      #expect(text.contains(#""name":"Permit","objects":0,"lastKey":4,"#))
      #expect(try next(try directory.importing(text)) == 5)
    }
  }

  @Test func keyOfZeroIsRestored() throws {
    try TransferDirectory.with { directory in
      let header =
        #"{"format":"varve","version":1,"schemaVersion":0,"classes":[{"name":"Permit","objects":1,"properties":[{"name":"id","type":"int16","primaryKey":true,"autoIncrement":true},{"name":"text","type":"string"}]}]}"#
      let text = header + "\n" + #"{"class":"Permit","key":0,"values":{"text":"x"}}"# + "\n"
      let realm = try directory.importing(text)
      #expect(realm.objects(Permit.self).map(\.id) == [0])
      #expect(try directory.text(realm) == text)
      #expect(try next(realm) == 1)
    }
  }

  @Test(arguments: [
    (#""lastKey":1"#, #""type":"string","primaryKey":true"#, "invalidSchema"),
    (#""lastKey":1"#, #""type":"int16","primaryKey":true"#, "invalidSchema"),
    (
      #""lastKey":32768"#, #""type":"int16","primaryKey":true,"autoIncrement":true"#,
      "invalidSchema"
    ),
    (#""lastKey":-1"#, #""type":"int16","primaryKey":true,"autoIncrement":true"#, "invalidInput"),
    (#""lastKey":"1""#, #""type":"int16","primaryKey":true,"autoIncrement":true"#, "invalidInput"),
    (#""objects":0"#, #""type":"string","primaryKey":true,"autoIncrement":true"#, "invalidSchema"),
    (#""objects":0"#, #""type":"int16","autoIncrement":true"#, "invalidSchema"),
  ])
  func inconsistentHeadersAreRefused(
    member: String, property: String, code: String
  ) throws {
    try TransferDirectory.with { directory in
      let header =
        #"{"format":"varve","version":1,"classes":[{"name":"A",\#(member),"properties":[{"name":"k",\#(property)}]}]}"#
      let error = thrownError { try directory.importing(header + "\n") }
      let found = error.map { "\($0.code)" }
      #expect(found == code, "\(header)")
    }
  }
}
