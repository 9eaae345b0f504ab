import Testing
import Varve

@Model private class MarkedConditions: Object {
  @Persisted var a = 1
  #if os(Linux) || os(macOS)
    @Persisted var b = 2
    #if VARVE_NEVER_SET
      @Persisted var c = 3
    #else
      @Persisted var d = 4
    #endif
  #elseif os(Windows)
    @Persisted var b = "two"
  #else
    @Persisted var b = 2.0
  #endif
  #if VARVE_NEVER_SET
    @Persisted var e = 5
  #endif
  #if VARVE_NEVER_SET
    @Persisted
  #endif
  var ignored = 6
  #if !VARVE_NEVER_SET
    @Persisted
  #endif
  var g = 7
  @Persisted var h = 8
}
@Model private final class MarkedConditionsLeaf: MarkedConditions {
  #if VARVE_NEVER_SET
    @Persisted var i = 9
  #endif
}
private class PlainConditions: Object, @unchecked Sendable {
  @Persisted var a = 1
  #if os(Linux) || os(macOS)
    @Persisted var b = 2
    #if VARVE_NEVER_SET
      @Persisted var c = 3
    #else
      @Persisted var d = 4
    #endif
  #elseif os(Windows)
    @Persisted var b = "two"
  #else
    @Persisted var b = 2.0
  #endif
  #if VARVE_NEVER_SET
    @Persisted var e = 5
  #endif
  #if VARVE_NEVER_SET
    @Persisted
  #endif
  var ignored = 6
  #if !VARVE_NEVER_SET
    @Persisted
  #endif
  var g = 7
  @Persisted var h = 8
}

struct ModelConditionTests {
  @Test(
    arguments: [MarkedConditions.self, MarkedConditionsLeaf.self, PlainConditions.self]
      as [ObjectBase.Type])
  func onlyActiveBranchesArePersisted(_ model: ObjectBase.Type) {
    #expect(ModelProbe(model).names == ["a", "b", "d", "g", "h"])
    #expect(ModelProbe(model).slots == [0, 1, 2, 3, 4])
  }

  @Test func conditionalPropertiesStoreValues() {
    let marked = MarkedConditions()
    (marked.b, marked.d, marked.g) = (20, 40, 70)
    #expect([marked.a, marked.b, marked.d, marked.g, marked.h] == [1, 20, 40, 70, 8])
    let plain = PlainConditions()
    (plain.b, plain.d, plain.g) = (20, 40, 70)
    #expect([plain.a, plain.b, plain.d, plain.g, plain.h] == [1, 20, 40, 70, 8])
  }
}
