import Testing
import Varve

@Model private class MarkedBox<Value: _Persistable & Sendable>: Object {
  @Persisted var content: Value
  @Persisted var count = 1
}
@Model private final class MarkedIntBox: MarkedBox<Int> {
  @Persisted var extra = 2
}
@Model
private final class MarkedSubBox<Other: _Persistable & _OptionalPersistable>: MarkedBox<Other?> {
  @Persisted var other: Other
}
private class PlainBox<Value: _Persistable & Sendable>: Object, @unchecked Sendable {
  @Persisted var content: Value
  @Persisted var count = 1 { didSet { count = max(count, oldValue) } }
}
private final class PlainIntBox: PlainBox<Int>, @unchecked Sendable {
  @Persisted var extra = 2
}
@Model private final class MarkedOnPlainBox: PlainBox<String> {
  @Persisted var extra = 2
}

private struct Outer<T> {
  final class Inner: Object, @unchecked Sendable {
    @Persisted var value = 1
  }
  @Model final class MarkedInner: Object {
    @Persisted var value = 1
  }
}

struct ModelGenericTests {
  @Test(
    arguments: [MarkedIntBox.self, PlainIntBox.self, MarkedOnPlainBox.self] as [ObjectBase.Type])
  func subclassesOfGenericClassesKeepAllProperties(_ model: ObjectBase.Type) {
    #expect(ModelProbe(model).names == ["content", "count", "extra"])
  }

  @Test func specializationsHaveTheirOwnSchema() {
    #expect(ModelProbe(MarkedBox<Int>.self).keyPath("content") == \MarkedBox<Int>.content)
    #expect(ModelProbe(PlainBox<Int>.self).keyPath("content") == \PlainBox<Int>.content)
    #expect(ModelProbe(PlainBox<String>.self).keyPath("content") == \PlainBox<String>.content)
    #expect(ModelProbe(MarkedSubBox<Int>.self).names == ["content", "count", "other"])
  }

  @Test func genericModelsStoreValues() {
    let marked = MarkedSubBox<Int>()
    marked.content = 5
    marked.other = 6
    #expect(marked.content == 5)
    #expect(marked.other == 6)
    #expect(marked.count == 1)
    let plain = PlainIntBox()
    plain.content = 5
    plain.count = -3
    plain.extra = 7
    #expect([plain.content, plain.count, plain.extra] == [5, 1, 7])
    let mixed = MarkedOnPlainBox()
    mixed.content = "x"
    mixed.extra = 9
    #expect(mixed.content == "x")
    #expect(mixed.extra == 9)
  }

  @Test func classesInGenericTypesWork() {
    #expect(Outer<Int>.Inner().value == 1)
    #expect(Outer<Int>.MarkedInner().value == 1)
  }
}
