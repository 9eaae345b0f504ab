import Foundation
import Varve

enum Hue: String, PersistableEnum {
  case red, green, blue
}

/// A class with sets of every element type.
@Model final class Bag: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var ints: MutableSet<Int>
  @Persisted var smallInts: MutableSet<Int8>
  @Persisted var optionalInts: MutableSet<Int?>
  @Persisted var bools: MutableSet<Bool>
  @Persisted var floats: MutableSet<Float>
  @Persisted var doubles: MutableSet<Double>
  @Persisted var optionalDoubles: MutableSet<Double?>
  @Persisted var dates: MutableSet<Date>
  @Persisted var strings: MutableSet<String>
  @Persisted var optionalStrings: MutableSet<String?>
  @Persisted var datas: MutableSet<Data>
  @Persisted var uuids: MutableSet<UUID>
  @Persisted var objectIds: MutableSet<ObjectId>
  @Persisted var hues: MutableSet<Hue>
  @Persisted var coins: MutableSet<Coin>
  @Persisted var bags: MutableSet<Bag>
  @Persisted(originProperty: "bags") var holders: LinkingObjects<Bag>

  convenience init(_ id: Int, coins: [Coin] = []) {
    self.init()
    self.id = id
    self.coins.insert(objectsIn: coins)
  }
}

@Model final class Coin: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var worth = 0
  @Persisted var mint: Mint?
  @Persisted(originProperty: "coins") var bags: LinkingObjects<Bag>
  @Persisted(originProperty: "best") var bestOf: LinkingObjects<Purse>
  @Persisted(originProperty: "row") var rowsOf: LinkingObjects<Purse>
  @Persisted(originProperty: "named") var namedIn: LinkingObjects<Purse>
  @Persisted(originProperty: "heap") var heapsOf: LinkingObjects<Purse>

  convenience init(_ id: Int, worth: Int = 0) {
    self.init()
    self.id = id
    self.worth = worth
  }
}

@Model final class Mint: Object {
  @Persisted var town: String
}

/// Links of every kind, in a class without `@Model`.
final class Purse: Object, @unchecked Sendable {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var best: Coin?
  @Persisted var row: List<Coin>
  @Persisted var named: Map<String, Coin?>
  @Persisted var heap: MutableSet<Coin>
  @Persisted var words: MutableSet<String>

  convenience init(_ id: Int) {
    self.init()
    self.id = id
  }
}
