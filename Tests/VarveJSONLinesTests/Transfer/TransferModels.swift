import Foundation
import Varve

/// A class with an integer key, and a property of each type.
@Model final class Ware: Object {
  @Persisted(primaryKey: true) var number: Int
  @Persisted var isNew: Bool
  @Persisted var small: Int8
  @Persisted var medium: Int16?
  @Persisted var large: Int32
  @Persisted(indexed: true) var huge: Int
  @Persisted var weight: Float
  @Persisted var price: Double?
  @Persisted(indexed: true) var title: String
  @Persisted var picture: Data?
  @Persisted var made: Date
  @Persisted var tag: UUID?
  @Persisted var mark: ObjectId
  @Persisted var cost: Decimal128
  @Persisted var anything: AnyRealmValue
  @Persisted var maker: Maker?
  @Persisted var next: Ware?
  @Persisted var box: Crate?
  @Persisted var boxes: List<Crate>
  @Persisted var boxesByName: Map<String, Crate?>
  @Persisted var numbers: List<Int>
  @Persisted var texts: List<String?>
  @Persisted var dates: MutableSet<Date>
  @Persisted var names: MutableSet<String>
  @Persisted var amounts: Map<String, Double?>
  @Persisted var mixture: List<AnyRealmValue>
  @Persisted var makers: List<Maker>
  @Persisted var places: MutableSet<Place>
  @Persisted var wares: Map<String, Ware?>
}

/// A class with a string key.
@Model final class Maker: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var home: Place?
  @Persisted var friends: List<Maker>
}

/// A class without a key.
@Model final class Place: Object {
  @Persisted var name: String
  @Persisted var neighbour: Place?
  @Persisted var known: Map<String, AnyRealmValue>
}

/// A class with a nullable key.
@Model final class Label: Object {
  @Persisted(primaryKey: true) var id: UUID?
  @Persisted var text = "?"
}

@Model final class Crate: EmbeddedObject {
  @Persisted var size: Int
  @Persisted var from: Place?
  @Persisted var lid: Lid?
}

@Model final class Lid: EmbeddedObject {
  @Persisted var colors: List<String>
  @Persisted var painter: Maker?
}
