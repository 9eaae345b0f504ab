import Testing
import Varve

@Model private final class MarkedPet: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var name: String
  @Persisted var age = 3
  @Persisted var weight: Double = -2.5
  @Persisted var motto: String? = nil
  @Persisted var isTame: Bool = true
  @Persisted var label: String = "pet \(1 + 1)"
  @Persisted var stamp = makeStamp()
  @Persisted var friend: MarkedPet?
  @Persisted var boss: MarkedPet!
  @Persisted var toys: List<String>
  @Persisted var notes: Map<String, Int>
  @Persisted(originProperty: "friend") var admirers: LinkingObjects<MarkedPet>
  var ignored = 1
}

private final class PlainPet: Object, @unchecked Sendable {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var name: String
  @Persisted var age = 3
  @Persisted var weight: Double = -2.5
  @Persisted var motto: String? = nil
  @Persisted var isTame: Bool = true
  @Persisted var label: String = "pet \(1 + 1)"
  @Persisted var stamp = makeStamp()
  @Persisted var friend: PlainPet?
  @Persisted var boss: PlainPet!
  @Persisted var toys: List<String>
  @Persisted var notes: Map<String, Int>
  @Persisted(originProperty: "friend") var admirers: LinkingObjects<PlainPet>
  var ignored = 1
}

@Model private final class BothArguments: Object {
  @Persisted(primaryKey: true, indexed: true) var id: Int
  @Persisted(primaryKey: false) var other: Int
  @Varve.Persisted(indexed: false) var third: Int
}

@Varve.Model private final class Qualified: Varve.Object {
  @Varve.Persisted var name: Swift.String
}

@Model private final class Empty: Object {}

private func makeStamp() -> Int { 42 }

struct ModelDeclarationTests {
  private static let names = [
    "id", "name", "age", "weight", "motto", "isTame", "label", "stamp", "friend", "boss", "toys",
    "notes", "admirers",
  ]

  @Test(arguments: [MarkedPet.self, PlainPet.self] as [ObjectBase.Type])
  func propertiesAreListedInOrder(_ model: ObjectBase.Type) {
    let probe = ModelProbe(model)
    #expect(probe.names == Self.names)
    #expect(probe.slots == Array(0..<13))
  }

  @Test(arguments: [MarkedPet.self, PlainPet.self] as [ObjectBase.Type])
  func argumentsReachTheSchema(_ model: ObjectBase.Type) {
    let probe = ModelProbe(model)
    #expect(probe.primaryKeys == ["id"])
    #expect(probe.indexed == ["name"])
    #expect(probe.origins == ["admirers": "friend"])
  }

  @Test(arguments: [MarkedPet.self, PlainPet.self] as [ObjectBase.Type])
  func onlyLiteralsAreConstantDefaults(_ model: ObjectBase.Type) {
    #expect(ModelProbe(model).constantDefaults == ["age", "weight", "motto", "isTame"])
  }

  @Test func keyPathsIdentifyProperties() {
    #expect(ModelProbe(MarkedPet.self).keyPath("age") == \MarkedPet.age)
    #expect(ModelProbe(PlainPet.self).keyPath("age") == \PlainPet.age)
  }

  @Test func primaryKeyAndIndexedMayBeCombined() {
    let probe = ModelProbe(BothArguments.self)
    #expect(probe.primaryKeys == ["id"])
    #expect(probe.indexed == ["id"])
  }

  @Test func qualifiedAttributesWork() {
    #expect(ModelProbe(Qualified.self).names == ["name"])
    #expect(ModelProbe(Empty.self).names == [])
  }

  @Test func markedModelStoresValues() {
    let pet = MarkedPet()
    #expect(pet.age == 3)
    #expect(pet.weight == -2.5)
    #expect(pet.label == "pet 2")
    #expect(pet.stamp == 42)
    #expect(pet.motto == nil)
    #expect(pet.boss == nil)
    pet.boss = MarkedPet()
    pet.boss.name = "Rex"
    pet.age += 4
    pet.toys.append("ball")
    #expect(pet.boss.name == "Rex")
    #expect(pet.age == 7)
    #expect(Array(pet.toys) == ["ball"])
    #expect(pet.admirers.count == 0)
  }

  @Test func plainModelStoresValues() {
    let pet = PlainPet()
    #expect(pet.age == 3)
    #expect(pet.weight == -2.5)
    #expect(pet.label == "pet 2")
    #expect(pet.stamp == 42)
    #expect(pet.motto == nil)
    #expect(pet.boss == nil)
    pet.boss = PlainPet()
    pet.boss.name = "Rex"
    pet.age += 4
    pet.toys.append("ball")
    #expect(pet.boss.name == "Rex")
    #expect(pet.age == 7)
    #expect(Array(pet.toys) == ["ball"])
    #expect(pet.admirers.count == 0)
  }
}
