import Foundation
import Testing
import Varve
import VarveCore

/// Each operator on each non-numeric type: it compiles, and creates the expected condition.
@Suite struct ValueQueryTextTests {
  private func check(
    _ text: String, _ condition: (Query<AllTypes>) -> Query<Bool>,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let found = condition(Query()).condition.description
    #expect(found == text, sourceLocation: sourceLocation)
  }

  @Test func boolsSupportEquality() {
    check("bool == TRUE") { $0.bool }
    check("NOT bool == TRUE") { !$0.bool }
    check("bool == FALSE") { $0.bool == false }
    check("bool != TRUE") { $0.bool != true }
    check("bool IN {TRUE}") { $0.bool.in([true]) }
    check("bool == optionalBool") { $0.bool == $0.optionalBool }
    check("optionalBool == TRUE") { $0.optionalBool == true }
    check("optionalBool != NULL") { $0.optionalBool != nil }
    check("optionalBool IN {NULL}") { $0.optionalBool.in([nil]) }
    check("(((bool == TRUE) == (int > 5)) AND bool != NULL)") { $0.bool == ($0.int > 5) }
  }

  @Test func stringsSupportSubstringOperators() {
    check("string == \"a\"") { $0.string == "a" }
    check("string != \"a\"") { "a" != $0.string }
    check("string < \"a\"") { $0.string < "a" }
    check("string < \"a\"") { "a" > $0.string }
    check("string IN {\"a\", \"b\"}") { $0.string.in(["a", "b"]) }
    check("string BETWEEN {\"a\", \"b\"}") { $0.string.contains("a"..."b") }
    check("string >= \"a\"") { $0.string.contains("a"...) }
    check("string BEGINSWITH \"a\"") { $0.string.starts(with: "a") }
    check("string BEGINSWITH[c] \"a\"") { $0.string.starts(with: "a", caseInsensitive: true) }
    check("string BEGINSWITH[cd] \"a\"") {
      $0.string.starts(with: "a", options: [.caseInsensitive, .diacriticInsensitive])
    }
    check("string ENDSWITH[d] \"a\"") {
      $0.string.ends(with: "a", options: .diacriticInsensitive)
    }
    check("string ENDSWITH \"a\"") { $0.string.ends(with: "a", caseInsensitive: false) }
    check("string CONTAINS \"a\"") { $0.string.contains("a") }
    check("string CONTAINS[c] \"a\"") { $0.string.contains("a", options: .caseInsensitive) }
    check("string LIKE \"a*?\"") { $0.string.like("a*?") }
    check("string LIKE[c] \"a*?\"") { $0.string.like("a*?", caseInsensitive: true) }
    check("string MATCHES \"a+\"") { $0.string.matches("a+") }
    check("string TEXT \"a b\"") { $0.string.fullTextSearch("a b") }
    check("string == \"a\"") { $0.string.equals("a") }
    check("string ==[c] \"a\"") { $0.string.equals("a", caseInsensitive: true) }
    check("string !=[d] \"a\"") { $0.string.notEquals("a", options: .diacriticInsensitive) }
    check("string == optionalString") { $0.string == $0.optionalString }
    check("string < optionalString") { $0.string < $0.optionalString }
    check("string BEGINSWITH optionalString") { $0.string.starts(with: $0.optionalString) }
    check("string CONTAINS[c] string") { $0.string.contains($0.string, options: .caseInsensitive) }
  }

  @Test func optionalStringsSupportSameOperators() {
    check("optionalString == NULL") { $0.optionalString == nil }
    check("optionalString == NULL") { $0.optionalString.equals(nil) }
    check("optionalString != NULL") { $0.optionalString.notEquals(nil) }
    check("optionalString >= \"a\"") { $0.optionalString >= "a" }
    check("optionalString IN {\"a\", NULL}") { $0.optionalString.in(["a", nil]) }
    check("optionalString BETWEEN {\"a\", \"b\"}") { $0.optionalString.contains("a"..."b") }
    check("optionalString CONTAINS \"a\"") { $0.optionalString.contains("a") }
    check("optionalString ENDSWITH \"a\"") { $0.optionalString.ends(with: "a") }
    check("optionalString LIKE \"a\"") { $0.optionalString.like("a") }
    check("optionalString MATCHES[c] \"a\"") {
      $0.optionalString.matches("a", caseInsensitive: true)
    }
  }

  @Test func dataSupportsSubstringOperators() {
    let data = Data([1, 2])
    check("data == B64\"AQI=\"") { $0.data == data }
    check("data != B64\"AQI=\"") { $0.data.notEquals(data) }
    check("data IN {B64\"AQI=\"}") { $0.data.in([data]) }
    check("data BEGINSWITH B64\"AQI=\"") { $0.data.starts(with: data) }
    check("data ENDSWITH B64\"AQI=\"") { $0.data.ends(with: data) }
    check("data CONTAINS B64\"AQI=\"") { $0.data.contains(data) }
    check("data == optionalData") { $0.data == $0.optionalData }
    check("optionalData == NULL") { $0.optionalData == nil }
    check("optionalData CONTAINS B64\"AQI=\"") { $0.optionalData.contains(data) }
  }

  @Test func datesSupportOrder() {
    let date = Date(timeIntervalSince1970: 0)
    let text = "1970-01-01@00:00:00"
    check("date == \(text)") { $0.date == date }
    check("date < \(text)") { $0.date < date }
    check("date > \(text)") { date < $0.date }
    check("date IN {\(text)}") { $0.date.in([date]) }
    check("date BETWEEN {\(text), \(text)}") { $0.date.contains(date...date) }
    check("date >= \(text)") { $0.date.contains(date...) }
    check("date < optionalDate") { $0.date < $0.optionalDate }
    check("optionalDate == NULL") { $0.optionalDate == nil }
    check("optionalDate < \(text)") { $0.optionalDate.contains(..<date) }
  }

  @Test func identifiersAreCompared() {
    let uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
    check("uuid == uuid(\(uuid))") { $0.uuid == uuid }
    check("uuid IN {uuid(\(uuid))}") { $0.uuid.in([uuid]) }
    check("uuid != optionalUUID") { $0.uuid != $0.optionalUUID }
    check("optionalUUID == NULL") { $0.optionalUUID == nil }
    let id = ObjectId.generate()
    check("objectId == oid(\(id))") { $0.objectId == id }
    check("objectId < oid(\(id))") { $0.objectId < id }
    check("objectId BETWEEN {oid(\(id)), oid(\(id))}") { $0.objectId.contains(id...id) }
    check("objectId >= optionalObjectId") { $0.objectId >= $0.optionalObjectId }
    check("optionalObjectId == NULL") { $0.optionalObjectId == nil }
  }

  @Test func enumsSupportEqualityAndRawValuesEveryOperator() {
    check("color == \"red\"") { $0.color == .red }
    check("color != \"BLUE\"") { $0.color != .blue }
    check("color IN {\"red\"}") { $0.color.in([.red]) }
    check("color == optionalColor") { $0.color == $0.optionalColor }
    check("color < \"b\"") { $0.color.rawValue < "b" }
    check("color LIKE \"r*\"") { $0.color.rawValue.like("r*") }
    check("optionalColor == NULL") { $0.optionalColor == nil }
    check("optionalColor IN {NULL, \"red\"}") { $0.optionalColor.in([nil, .red]) }
    check("optionalColor CONTAINS \"r\"") { $0.optionalColor.rawValue.contains("r") }
    check("level == 7") { $0.level == .high }
    check("level BETWEEN {0, 7}") { $0.level.rawValue.contains(0...7) }
    check("(level + 1) > int") { $0.level.rawValue + 1 > $0.int }
    check("optionalLevel == -1") { $0.optionalLevel == .low }
  }

  @Test func linksSupportEquality() {
    check("link == NULL") { $0.link == nil }
    check("link.link != NULL") { $0.link.link != nil }
    check("link == link.link") { $0.link == $0.link.link }
    check("link == SELF") { $0.link == $0 }
    check("SELF != link") { $0 != $0.link }
    check("link.optionalInt == NULL") { $0.link.optionalInt == nil }
    check("link IN {NULL}") { $0.link.in([nil]) }
  }

  @Test func inAcceptsEverySequence() {
    let numbers: Set = [4]
    check("int IN {4}") { $0.int.in(numbers) }
    check("optionalInt IN {4}") { $0.optionalInt.in(numbers) }
    check("int IN {1, 2, 3}") { $0.int.in(1...3) }
    check("optionalString IN {\"k\"}") { $0.optionalString.in(["k": 1].keys) }
    check("int IN {}") { $0.int.in([]) }
    check("optionalInt IN {}") { $0.optionalInt.in([]) }
  }
}
