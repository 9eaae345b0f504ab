import Foundation
import Varve

@Model final class Crate: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var label = ""
  @Persisted var weight: Double
  @Persisted var numbers: List<Int>
  @Persisted var words: List<String>
  @Persisted var items: List<Item>
  @Persisted var notes: Map<String, String>
  @Persisted var places: Map<String, Item?>
  @Persisted var best: Item?

  convenience init(_ id: Int, numbers: some Sequence<Int> = []) {
    self.init()
    self.id = id
    self.numbers.append(objectsIn: numbers)
  }
}

@Model final class Item: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted(indexed: true) var code: String
  @Persisted var count = 0
  @Persisted(originProperty: "items") var crates: LinkingObjects<Crate>

  convenience init(_ name: String, count: Int = 0) {
    self.init()
    self.name = name
    self.count = count
  }
}

/// A class without a primary key.
@Model final class Stamp: Object {
  @Persisted var number: Int
  @Persisted var data: Data?
  @Persisted var words: List<String>
  @Persisted var notes: Map<String, String>

  convenience init(_ number: Int) {
    self.init()
    self.number = number
  }
}
