import Testing
import Varve

@Model private class MarkedRoot: Object {
  @Persisted var a = 1
  @Persisted var b = 2
}
@Model private class MarkedOnMarked: MarkedRoot {
  @Persisted var c = 3
}
@Model private final class MarkedLeaf: MarkedOnMarked {
  @Persisted var d = 4
}
private class PlainRoot: Object, @unchecked Sendable {
  @Persisted var a = 1
  @Persisted var b = 2
}
private class PlainOnPlain: PlainRoot, @unchecked Sendable {
  @Persisted var c = 3
}
private final class PlainLeaf: PlainOnPlain, @unchecked Sendable {
  @Persisted var d = 4
}
@Model private class MarkedOnPlain: PlainRoot {
  @Persisted var c = 3
}
private final class PlainOnMarkedOnPlain: MarkedOnPlain, @unchecked Sendable {
  @Persisted var d = 4
}
private class PlainOnMarked: MarkedRoot, @unchecked Sendable {
  @Persisted var c = 3
}
@Model private final class MarkedOnPlainOnMarked: PlainOnMarked {
  @Persisted var d = 4
}
/// A class without persisted properties must not hide the properties of its superclasses.
private class PlainNothing: MarkedOnPlain, @unchecked Sendable {}
@Model private final class MarkedOnNothing: PlainNothing {
  @Persisted var d = 4
}
@Model private final class MarkedNothing: PlainOnPlain {}

@Model private class HiddenRoot: Object {
  @Persisted private var secret = 1
  var rootSecret: Int {
    get { secret }
    set { secret = newValue }
  }
}
@Model private final class HiddenLeaf: HiddenRoot {
  @Persisted private var other = 5
  var leafOther: Int {
    get { other }
    set { other = newValue }
  }
}

/// The initializer sets properties, which needs the property slots before the first instance is
/// complete.
private final class PlainWithInitialiser: PlainRoot, @unchecked Sendable {
  @Persisted var c: Int
  required init() {
    super.init()
    c = 9
    b = 8
  }
}
@Model private final class MarkedWithInitialiser: PlainRoot {
  @Persisted var c: Int
  required init() {
    super.init()
    c = 9
    b = 8
  }
}

struct ModelInheritanceTests {
  @Test(
    arguments: [
      MarkedLeaf.self, PlainLeaf.self, PlainOnMarkedOnPlain.self, MarkedOnPlainOnMarked.self,
      MarkedOnNothing.self,
    ] as [ObjectBase.Type])
  func everyLevelIsListedInOrder(_ model: ObjectBase.Type) {
    #expect(ModelProbe(model).names == ["a", "b", "c", "d"])
    #expect(ModelProbe(model).slots == [0, 1, 2, 3])
  }

  @Test(
    arguments: [MarkedOnMarked.self, PlainOnPlain.self, MarkedOnPlain.self, PlainOnMarked.self]
      as [ObjectBase.Type])
  func subclassesDoNotChangeTheirSuperclass(_ model: ObjectBase.Type) {
    #expect(ModelProbe(model).names == ["a", "b", "c"])
  }

  @Test func classesWithoutPropertiesKeepInheritedProperties() {
    #expect(ModelProbe(PlainNothing.self).names == ["a", "b", "c"])
    #expect(ModelProbe(MarkedNothing.self).names == ["a", "b", "c"])
  }

  @Test func slotsAreSeparateInMarkedChain() {
    let object = MarkedLeaf()
    (object.a, object.b, object.c, object.d) = (10, 20, 30, 40)
    #expect([object.a, object.b, object.c, object.d] == [10, 20, 30, 40])
  }

  @Test func slotsAreSeparateInPlainChain() {
    let object = PlainLeaf()
    (object.a, object.b, object.c, object.d) = (10, 20, 30, 40)
    #expect([object.a, object.b, object.c, object.d] == [10, 20, 30, 40])
  }

  @Test func slotsAreSeparateInMixedChains() {
    let first = PlainOnMarkedOnPlain()
    (first.a, first.b, first.c, first.d) = (10, 20, 30, 40)
    #expect([first.a, first.b, first.c, first.d] == [10, 20, 30, 40])
    let second = MarkedOnPlainOnMarked()
    (second.a, second.b, second.c, second.d) = (10, 20, 30, 40)
    #expect([second.a, second.b, second.c, second.d] == [10, 20, 30, 40])
    let third = MarkedOnNothing()
    (third.a, third.b, third.c, third.d) = (10, 20, 30, 40)
    #expect([third.a, third.b, third.c, third.d] == [10, 20, 30, 40])
  }

  @Test func privatePropertiesOfTwoLevelsAreSeparate() {
    let object = HiddenLeaf()
    object.rootSecret = 7
    object.leafOther = 8
    #expect(object.rootSecret == 7)
    #expect(object.leafOther == 8)
    #expect(ModelProbe(HiddenLeaf.self).names == ["secret", "other"])
  }

  @Test func initializersMaySetProperties() {
    #expect(PlainWithInitialiser().c == 9)
    #expect(PlainWithInitialiser().b == 8)
    #expect(MarkedWithInitialiser().c == 9)
    #expect(MarkedWithInitialiser().b == 8)
  }
}
