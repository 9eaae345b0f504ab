import Foundation
import Varve

enum Rank: String, PersistableEnum { case low, high }

@Model final class Card: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var title: String
  @Persisted var small: Int8
  @Persisted var price: Double?
  @Persisted var share: Float
  @Persisted var when: Date
  @Persisted var rank: Rank
  @Persisted var raw: Data
  @Persisted var next: Card?
  @Persisted var cards: List<Card>
  @Persisted var numbers: List<Int>
  @Persisted var marks: List<Rank>
  @Persisted var notes: Map<String, String>
  @Persisted var byName: Map<String, Card?>
  @Persisted var cover: Cover?
  @Persisted var cost: Decimal128
  @Persisted var words: MutableSet<String>
  @Persisted var peers: MutableSet<Card>
  @Persisted var extra: AnyRealmValue
  @Persisted(originProperty: "next") var previous: LinkingObjects<Card>

  convenience init(_ id: Int, _ title: String = "", price: Double? = nil) {
    self.init()
    self.id = id
    self.title = title
    self.price = price
  }
}

@Model final class Cover: EmbeddedObject {
  @Persisted var color: String
}
