import Testing
import Varve

@Model private final class WithDeprecated: Object {
  @available(*, deprecated, message: "use 'name'") @Persisted var oldName: String
  @Persisted var name: String
}
private final class PlainWithDeprecated: Object, @unchecked Sendable {
  @available(*, deprecated, message: "use 'name'") @Persisted var oldName: String
  @Persisted var name: String
}
@available(*, deprecated) @Model private class DeprecatedModel: Object {
  @Persisted var name: String
}
@Model private final class StatesSendable: Object, @unchecked Sendable {
  @Persisted var name: String
}
@Model private final class WithMultilineDefault: Object {
  @Persisted var text = """
    one
      two
    """
  @Persisted var computed = {
    let values = [1, 2, 3]
    return values.reduce(0, +)
  }()
  @Persisted var made: List<Int> = List()
  @Persisted var choice = true ? 1 : 2
}
private protocol Named {
  var name: String { get set }
}
@Model private final class Conforming: Object, Named, Identifiable {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  convenience init(name: String) {
    self.init()
    self.name = name
  }
}

struct ModelAttributeTests {
  @Test(arguments: [WithDeprecated.self, PlainWithDeprecated.self] as [ObjectBase.Type])
  func deprecatedPropertiesArePersisted(_ model: ObjectBase.Type) {
    #expect(ModelProbe(model).names == ["oldName", "name"])
  }

  @Test func defaultsOfSeveralLinesKeepTheirText() {
    let object = WithMultilineDefault()
    #expect(object.text == "one\n  two")
    #expect(object.computed == 6)
    #expect(object.choice == 1)
    #expect(ModelProbe(WithMultilineDefault.self).constantDefaults == ["text"])
  }

  @Test func modelsConformToProtocols() {
    var object: any Named = Conforming(name: "Rex")
    object.name += "!"
    #expect(object.name == "Rex!")
    #expect(StatesSendable().name == "")
  }
}
