import Varve

@Model final class Ewe: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var weight = 0.0
  @Persisted var mother: Ewe?
  @Persisted var farm: Farm?
  @Persisted var lambs: List<Ewe>
  @Persisted var marks: List<Int>
  @Persisted var notes: Map<String, String>
  @Persisted var friends: Map<String, Ewe?>
  @Persisted(originProperty: "lambs") var parents: LinkingObjects<Ewe>

  convenience init(_ id: Int, name: String = "", age: Int = 0) {
    self.init()
    self.id = id
    self.name = name
    self.age = age
  }
}

@Model final class Farm: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var area = 0
  @Persisted(originProperty: "farm") var ewes: LinkingObjects<Ewe>

  convenience init(_ name: String) {
    self.init()
    self.name = name
  }
}
