import Varve

@Model final class Sheep: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var age = 0
  @Persisted var shepherd: Shepherd?
  @Persisted var weights: List<Int>
  @Persisted var friends: List<Sheep>
  @Persisted var marks: Map<String, String>

  convenience init(_ id: Int, age: Int = 0, weights: [Int] = []) {
    self.init()
    self.id = id
    self.age = age
    self.weights.append(objectsIn: weights)
  }
}

@Model final class Shepherd: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted(originProperty: "shepherd") var sheep: LinkingObjects<Sheep>
}

/// A class without a primary key.
@Model final class Bell: Object {
  @Persisted var tone = 0
  @Persisted var serial: ObjectId
  @Persisted var notes: List<Int>
}

/// Collections of every kind, and a link to a class whose default runs a closure of the test.
@Model final class Fold: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var weights: List<Int>
  @Persisted var names: List<String>
  @Persisted var sheep: List<Sheep>
  @Persisted var marks: Map<String, String>
  @Persisted var gate: Gate?
}
