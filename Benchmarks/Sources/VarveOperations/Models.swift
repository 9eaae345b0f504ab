import Varve

@Model final class Item: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var count: Int
  @Persisted(indexed: true) var rank: Int
  @Persisted var weight: Double

  convenience init(id: Int) {
    self.init()
    self.id = id
    name = "the item of number \(id)"
    count = id % 100
    rank = id % 1000
    weight = Double(id) / 2
  }
}

@Model final class Labelled: Object {
  @Persisted(primaryKey: true) var label: String
  @Persisted var count: Int
}

@Model final class Collections: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var numbers: List<Int>
  @Persisted var numbersByKey: Map<String, Int>
}
