import Foundation
import Varve

/// A single value of every type, with and without an index.
@Model(indexes: [["int", "string"], ["optionalString"]], unique: [["code"]])
final class IndexedSingles: Object {
  @Persisted(primaryKey: true) var key: String
  @Persisted(indexed: true) var bool: Bool
  @Persisted(indexed: true) var int: Int
  @Persisted(indexed: true, fullText: true) var string: String
  @Persisted(fullText: true) var optionalString: String?
  @Persisted(indexed: true) var date: Date?
  @Persisted(indexed: true) var uuid: UUID
  @Persisted(indexed: true) var color: Color
  @Persisted var code: Int?
}

/// A single value of every type, and none of them needs more than the row.
@Model final class PlainSingles: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var bool: Bool
  @Persisted var int: Int
  @Persisted var int8: Int8
  @Persisted var int16: Int16
  @Persisted var int32: Int32
  @Persisted var int64: Int64
  @Persisted var float: Float
  @Persisted var double: Double
  @Persisted var string: String
  @Persisted var data: Data
  @Persisted var date: Date
  @Persisted var uuid: UUID
  @Persisted var objectId: ObjectId
  @Persisted var decimal: Decimal128
  @Persisted var color: Color
  @Persisted var level: Level
  @Persisted var optionalBool: Bool?
  @Persisted var optionalInt: Int?
  @Persisted var optionalInt8: Int8?
  @Persisted var optionalDouble: Double?
  @Persisted var optionalString: String?
  @Persisted var optionalData: Data?
  @Persisted var optionalDate: Date?
  @Persisted var optionalUUID: UUID?
  @Persisted var optionalColor: Color?
}

/// Sets, links, mixed values and an embedded object.
@Model final class Bookcase: Object {
  @Persisted(primaryKey: true, autoIncrement: true) var id: Int
  @Persisted var words: MutableSet<String>
  @Persisted var numbers: MutableSet<Double>
  @Persisted var best: CaseBook?
  @Persisted var books: List<CaseBook>
  @Persisted var bookSet: MutableSet<CaseBook>
  @Persisted var byName: Map<String, CaseBook?>
  @Persisted var mixed: AnyRealmValue
}

@Model final class CaseBook: Object {
  @Persisted var title: String
  @Persisted var label: CaseLabel?
  @Persisted(originProperty: "books") var bookcases: LinkingObjects<Bookcase>
}

@Model final class CaseLabel: EmbeddedObject {
  @Persisted var text: String
  @Persisted var size = 12
  @Persisted var shelf: Item?
  @Persisted var inner: CaseLabel?
}

/// Collections of mixed values and of embedded objects.
@Model final class Medley: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var values: List<AnyRealmValue>
  @Persisted var unique: MutableSet<AnyRealmValue>
  @Persisted var byName: Map<String, AnyRealmValue>
  @Persisted var labels: List<CaseLabel>
  @Persisted var labelsByName: Map<String, CaseLabel?>
}

/// Defaults, observers, and a key that a method names.
@Model final class Stamped: Object {
  nonisolated(unsafe) static var stamps = 0
  nonisolated(unsafe) static var assignments = 0

  static func nextStamp() -> Int {
    stamps += 1
    return stamps
  }

  @Persisted var name: String { didSet { Stamped.assignments += 1 } }
  @Persisted var stamp: Int = Stamped.nextStamp()
  @Persisted var other = Stamped.nextStamp()
  @Persisted var size = 3
  @Persisted var tags: List<String> = List(["\(Stamped.nextStamp())"])

  override class func primaryKey() -> String? { "name" }
}
