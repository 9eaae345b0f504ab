import Testing
import Varve

// swift-format-ignore: IdentifiersMustBeASCII
@Model private final class MarkedNames: Object {
  @Persisted var `class` = 1
  @Persisted var `self` = 2
  @Persisted var `init` = 3
  @Persisted var rawValue = 4
  @Persisted var allCases = 5
  @Persisted var größe = 6
  @Persisted var 名前 = 7
  @Persisted var 🐶 = 8
  @Persisted var `two words` = 9
  @Persisted var `say "hi"` = 10
  @Persisted var `default` = 11
  @Persisted var `Type` = 12
  @Persisted var _hidden = 13
  @Persisted var `1st` = 14
}

// swift-format-ignore: IdentifiersMustBeASCII
private final class PlainNames: Object, @unchecked Sendable {
  @Persisted var `class` = 1
  @Persisted var `self` = 2
  @Persisted var `init` = 3
  @Persisted var rawValue = 4
  @Persisted var allCases = 5
  @Persisted var größe = 6
  @Persisted var 名前 = 7
  @Persisted var 🐶 = 8
  @Persisted var `two words` = 9
  @Persisted var `say "hi"` = 10
  @Persisted var `default` = 11
  @Persisted var `Type` = 12
  @Persisted var _hidden = 13
  @Persisted var `1st` = 14
}

@Model private final class `Class with spaces`: Object {
  @Persisted var value = 1
}

struct ModelNameTests {
  @Test(arguments: [MarkedNames.self, PlainNames.self] as [ObjectBase.Type])
  func namesAreStoredWithoutBackticks(_ model: ObjectBase.Type) {
    #expect(
      ModelProbe(model).names == [
        "class", "self", "init", "rawValue", "allCases", "größe", "名前", "🐶", "two words",
        "say \"hi\"", "default", "Type", "_hidden", "1st",
      ])
  }

  @Test func propertiesOfAnyNameStoreValues() {
    let marked = MarkedNames()
    marked.🐶 = 80
    marked.`two words` = 90
    #expect(marked.`class` == 1)
    #expect(marked.🐶 == 80)
    #expect(marked.`two words` == 90)
    #expect(marked.`1st` == 14)
    #expect(marked.`self` == 2)
    let plain = PlainNames()
    plain.🐶 = 80
    plain.`two words` = 90
    #expect(plain.`class` == 1)
    #expect(plain.🐶 == 80)
    #expect(plain.`two words` == 90)
    #expect(plain.`1st` == 14)
    #expect(plain.`self` == 2)
    #expect(`Class with spaces`().value == 1)
  }
}
