import Foundation
import Varve

/// A property, a list, a set and a map of every type, and links.
@Model final class OracleItem: Object {
  @Persisted(primaryKey: true) var id: Int

  @Persisted var bool: Bool
  @Persisted var int8: Int8
  @Persisted var int16: Int16
  @Persisted var int32: Int32
  @Persisted var int: Int
  @Persisted var float: Float
  @Persisted var double: Double
  @Persisted var string: String
  @Persisted var data: Data
  @Persisted var date: Date
  @Persisted var uuid: UUID
  @Persisted var objectId: ObjectId
  @Persisted var decimal: Decimal128

  @Persisted var boolOrNull: Bool?
  @Persisted var int8OrNull: Int8?
  @Persisted var int16OrNull: Int16?
  @Persisted var int32OrNull: Int32?
  @Persisted var intOrNull: Int?
  @Persisted var floatOrNull: Float?
  @Persisted var doubleOrNull: Double?
  @Persisted var stringOrNull: String?
  @Persisted var dataOrNull: Data?
  @Persisted var dateOrNull: Date?
  @Persisted var uuidOrNull: UUID?
  @Persisted var objectIdOrNull: ObjectId?
  @Persisted var decimalOrNull: Decimal128?
  @Persisted var mixed: AnyRealmValue

  @Persisted var boolList: List<Bool?>
  @Persisted var int8List: List<Int8?>
  @Persisted var int16List: List<Int16?>
  @Persisted var int32List: List<Int32?>
  @Persisted var intList: List<Int?>
  @Persisted var floatList: List<Float?>
  @Persisted var doubleList: List<Double?>
  @Persisted var stringList: List<String?>
  @Persisted var dataList: List<Data?>
  @Persisted var dateList: List<Date?>
  @Persisted var uuidList: List<UUID?>
  @Persisted var objectIdList: List<ObjectId?>
  @Persisted var decimalList: List<Decimal128?>
  @Persisted var mixedList: List<AnyRealmValue>

  @Persisted var boolSet: MutableSet<Bool?>
  @Persisted var int8Set: MutableSet<Int8?>
  @Persisted var int16Set: MutableSet<Int16?>
  @Persisted var int32Set: MutableSet<Int32?>
  @Persisted var intSet: MutableSet<Int?>
  @Persisted var floatSet: MutableSet<Float?>
  @Persisted var doubleSet: MutableSet<Double?>
  @Persisted var stringSet: MutableSet<String?>
  @Persisted var dataSet: MutableSet<Data?>
  @Persisted var dateSet: MutableSet<Date?>
  @Persisted var uuidSet: MutableSet<UUID?>
  @Persisted var objectIdSet: MutableSet<ObjectId?>
  @Persisted var decimalSet: MutableSet<Decimal128?>
  @Persisted var mixedSet: MutableSet<AnyRealmValue>

  @Persisted var boolMap: Map<String, Bool?>
  @Persisted var int8Map: Map<String, Int8?>
  @Persisted var int16Map: Map<String, Int16?>
  @Persisted var int32Map: Map<String, Int32?>
  @Persisted var intMap: Map<String, Int?>
  @Persisted var floatMap: Map<String, Float?>
  @Persisted var doubleMap: Map<String, Double?>
  @Persisted var stringMap: Map<String, String?>
  @Persisted var dataMap: Map<String, Data?>
  @Persisted var dateMap: Map<String, Date?>
  @Persisted var uuidMap: Map<String, UUID?>
  @Persisted var objectIdMap: Map<String, ObjectId?>
  @Persisted var decimalMap: Map<String, Decimal128?>
  @Persisted var mixedMap: Map<String, AnyRealmValue>

  @Persisted var next: OracleItem?
  @Persisted var part: OraclePart?
  @Persisted var partList: List<OraclePart>
  @Persisted var partSet: MutableSet<OraclePart>
  @Persisted var partMap: Map<String, OraclePart?>
  @Persisted(originProperty: "next") var previous: LinkingObjects<OracleItem>
}

/// The properties of ``OracleItem``, with indexes.
@Model final class OracleIndexedItem: Object {
  @Persisted(primaryKey: true) var id: Int

  @Persisted(indexed: true) var bool: Bool
  @Persisted(indexed: true) var int8: Int8
  @Persisted(indexed: true) var int16: Int16
  @Persisted(indexed: true) var int32: Int32
  @Persisted(indexed: true) var int: Int
  @Persisted(indexed: true) var float: Float
  @Persisted(indexed: true) var double: Double
  @Persisted(indexed: true) var string: String
  @Persisted(indexed: true) var data: Data
  @Persisted(indexed: true) var date: Date
  @Persisted(indexed: true) var uuid: UUID
  @Persisted(indexed: true) var objectId: ObjectId
  @Persisted(indexed: true) var decimal: Decimal128

  @Persisted(indexed: true) var boolOrNull: Bool?
  @Persisted(indexed: true) var int8OrNull: Int8?
  @Persisted(indexed: true) var int16OrNull: Int16?
  @Persisted(indexed: true) var int32OrNull: Int32?
  @Persisted(indexed: true) var intOrNull: Int?
  @Persisted(indexed: true) var floatOrNull: Float?
  @Persisted(indexed: true) var doubleOrNull: Double?
  @Persisted(indexed: true) var stringOrNull: String?
  @Persisted(indexed: true) var dataOrNull: Data?
  @Persisted(indexed: true) var dateOrNull: Date?
  @Persisted(indexed: true) var uuidOrNull: UUID?
  @Persisted(indexed: true) var objectIdOrNull: ObjectId?
  @Persisted(indexed: true) var decimalOrNull: Decimal128?
  @Persisted(indexed: true) var mixed: AnyRealmValue

  @Persisted var boolList: List<Bool?>
  @Persisted var int8List: List<Int8?>
  @Persisted var int16List: List<Int16?>
  @Persisted var int32List: List<Int32?>
  @Persisted var intList: List<Int?>
  @Persisted var floatList: List<Float?>
  @Persisted var doubleList: List<Double?>
  @Persisted var stringList: List<String?>
  @Persisted var dataList: List<Data?>
  @Persisted var dateList: List<Date?>
  @Persisted var uuidList: List<UUID?>
  @Persisted var objectIdList: List<ObjectId?>
  @Persisted var decimalList: List<Decimal128?>
  @Persisted var mixedList: List<AnyRealmValue>

  @Persisted var boolSet: MutableSet<Bool?>
  @Persisted var int8Set: MutableSet<Int8?>
  @Persisted var int16Set: MutableSet<Int16?>
  @Persisted var int32Set: MutableSet<Int32?>
  @Persisted var intSet: MutableSet<Int?>
  @Persisted var floatSet: MutableSet<Float?>
  @Persisted var doubleSet: MutableSet<Double?>
  @Persisted var stringSet: MutableSet<String?>
  @Persisted var dataSet: MutableSet<Data?>
  @Persisted var dateSet: MutableSet<Date?>
  @Persisted var uuidSet: MutableSet<UUID?>
  @Persisted var objectIdSet: MutableSet<ObjectId?>
  @Persisted var decimalSet: MutableSet<Decimal128?>
  @Persisted var mixedSet: MutableSet<AnyRealmValue>

  @Persisted var boolMap: Map<String, Bool?>
  @Persisted var int8Map: Map<String, Int8?>
  @Persisted var int16Map: Map<String, Int16?>
  @Persisted var int32Map: Map<String, Int32?>
  @Persisted var intMap: Map<String, Int?>
  @Persisted var floatMap: Map<String, Float?>
  @Persisted var doubleMap: Map<String, Double?>
  @Persisted var stringMap: Map<String, String?>
  @Persisted var dataMap: Map<String, Data?>
  @Persisted var dateMap: Map<String, Date?>
  @Persisted var uuidMap: Map<String, UUID?>
  @Persisted var objectIdMap: Map<String, ObjectId?>
  @Persisted var decimalMap: Map<String, Decimal128?>
  @Persisted var mixedMap: Map<String, AnyRealmValue>

  @Persisted var next: OracleIndexedItem?
  @Persisted var part: OraclePart?
  @Persisted var partList: List<OraclePart>
  @Persisted var partSet: MutableSet<OraclePart>
  @Persisted var partMap: Map<String, OraclePart?>
  @Persisted(originProperty: "next") var previous: LinkingObjects<OracleIndexedItem>
}

/// The target of the links of items.
@Model final class OraclePart: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String?
  @Persisted var number: Int?
  @Persisted var ratio: Double?
  @Persisted var value: AnyRealmValue
  @Persisted var tags: List<String?>
  @Persisted var scores: Map<String, Int?>
  @Persisted var other: OraclePart?
  @Persisted(originProperty: "part") var items: LinkingObjects<OracleItem>
  @Persisted(originProperty: "part") var indexedItems: LinkingObjects<OracleIndexedItem>
}

/// The target of links in mixed values only.
@Model final class OracleStranger: Object {
  @Persisted(primaryKey: true) var id: Int
}
