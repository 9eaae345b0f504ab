import Foundation
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

/// A property of each type with values of a fixed size.
@Model final class FixedSizes: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var isSet: Bool
  @Persisted var small: Int8
  @Persisted var number: Float
  @Persisted var weight: Double
  @Persisted var date: Date
  @Persisted var identifier: UUID
  @Persisted var objectIdentifier: ObjectId
  @Persisted var decimal: Decimal128
  @Persisted var maybe: Int?
  @Persisted var maybeDate: Date?

  convenience init(id: Int) {
    self.init()
    self.id = id
    isSet = true
    small = 7
    number = 1.5
    weight = 2.5
    date = Date(timeIntervalSince1970: 1000)
    identifier = UUID()
    objectIdentifier = .generate()
    decimal = 12
    maybe = 3
  }

  /// Reads each property once.
  var sum: Int {
    (isSet ? 1 : 0) + Int(small) + Int(number) + Int(weight) + Int(date.timeIntervalSince1970)
      + Int(identifier.uuid.0) + Int(objectIdentifier.timestamp.timeIntervalSince1970)
      + (decimal == Decimal128() ? 1 : 0) + (maybe ?? 0) + (maybeDate == nil ? 1 : 0)
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
