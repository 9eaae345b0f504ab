// Models with every kind of property, which .ci/check-compiler-options compiles with options that
// the build of this package does not use.

import Foundation
import Varve

protocol Named { var name: String { get } }
protocol Growing { func grow() }

enum Mode: String, PersistableEnum { case on, off }

struct Celsius: CustomPersistable {
  var degrees: Double
  init(persistedValue: Double) { degrees = persistedValue }
  var persistableValue: Double { degrees }
}

@Model(indexes: [["name", "count"]])
final class Item: Object, Named, Codable {
  @Persisted(primaryKey: true) var id: ObjectId
  @Persisted(indexed: true) var name: String
  @Persisted var count = 0
  @Persisted var small: Int8
  @Persisted var double: Double = 0.5
  @Persisted var float: Float?
  @Persisted var flag = true
  @Persisted var date = Date()
  @Persisted var data: Data
  @Persisted var uuid: UUID
  @Persisted var decimal: Decimal128
  @Persisted var any: AnyRealmValue
  @Persisted var mode: Mode = .on
  @Persisted var otherMode: Mode?
  @Persisted var temperature: Celsius
  @Persisted var list: List<Int>
  @Persisted var set: MutableSet<String>
  @Persisted var map: Map<String, Int>
  @Persisted var link: Item?
  @Persisted var links: List<Item>
  @Persisted var part: Part?
  @Persisted var parts: List<Part>
  @Persisted(originProperty: "link") var origins: LinkingObjects<Item>
  @Persisted var watched = 1 {
    willSet { _ = newValue }
    didSet { if oldValue > watched { watched = oldValue } }
  }
  @Persisted(fullText: true) var text: String
  var transient = 0

  private enum CodingKeys: String, CodingKey { case id, name = "title", part }
}

@Model final class Numbered: Object {
  @Persisted(primaryKey: true, autoIncrement: true) var id: Int
  @Persisted(unique: true) var code: String?
}

@Model class Part: EmbeddedObject, Growing {
  @Persisted var size: Int
  func grow() { size += 1 }
}
extension Part: Codable {}

@Model final class Subpart: Part {
  @Persisted var depth: Int
}

@Model final class Generic<Value>: Object {
  @Persisted var size: Int
}
