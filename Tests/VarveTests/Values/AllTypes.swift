import Foundation
import Varve

enum Color: String, PersistableEnum {
  case red, green
  case blue = "BLUE"
}

enum Level: Int, PersistableEnum {
  case low = -1
  case middle
  case high = 7
}

/// A property of every type: single values, optional values, and lists and maps of both.
@Model final class AllTypes: Object {
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
  @Persisted var optionalInt16: Int16?
  @Persisted var optionalInt32: Int32?
  @Persisted var optionalInt64: Int64?
  @Persisted var optionalFloat: Float?
  @Persisted var optionalDouble: Double?
  @Persisted var optionalString: String?
  @Persisted var optionalData: Data?
  @Persisted var optionalDate: Date?
  @Persisted var optionalUUID: UUID?
  @Persisted var optionalObjectId: ObjectId?
  @Persisted var optionalDecimal: Decimal128?
  @Persisted var optionalColor: Color?
  @Persisted var optionalLevel: Level?
  @Persisted var link: AllTypes?

  @Persisted var bools: List<Bool>
  @Persisted var ints: List<Int>
  @Persisted var int8s: List<Int8>
  @Persisted var int16s: List<Int16>
  @Persisted var int32s: List<Int32>
  @Persisted var int64s: List<Int64>
  @Persisted var floats: List<Float>
  @Persisted var doubles: List<Double>
  @Persisted var strings: List<String>
  @Persisted var datas: List<Data>
  @Persisted var dates: List<Date>
  @Persisted var uuids: List<UUID>
  @Persisted var objectIds: List<ObjectId>
  @Persisted var decimals: List<Decimal128>
  @Persisted var colors: List<Color>
  @Persisted var levels: List<Level>
  @Persisted var links: List<AllTypes>

  @Persisted var optionalBools: List<Bool?>
  @Persisted var optionalInts: List<Int?>
  @Persisted var optionalInt8s: List<Int8?>
  @Persisted var optionalInt16s: List<Int16?>
  @Persisted var optionalInt32s: List<Int32?>
  @Persisted var optionalInt64s: List<Int64?>
  @Persisted var optionalFloats: List<Float?>
  @Persisted var optionalDoubles: List<Double?>
  @Persisted var optionalStrings: List<String?>
  @Persisted var optionalDatas: List<Data?>
  @Persisted var optionalDates: List<Date?>
  @Persisted var optionalUUIDs: List<UUID?>
  @Persisted var optionalObjectIds: List<ObjectId?>
  @Persisted var optionalDecimals: List<Decimal128?>
  @Persisted var optionalColors: List<Color?>
  @Persisted var optionalLevels: List<Level?>

  @Persisted var boolMap: Map<String, Bool>
  @Persisted var intMap: Map<String, Int>
  @Persisted var int8Map: Map<String, Int8>
  @Persisted var int16Map: Map<String, Int16>
  @Persisted var int32Map: Map<String, Int32>
  @Persisted var int64Map: Map<String, Int64>
  @Persisted var floatMap: Map<String, Float>
  @Persisted var doubleMap: Map<String, Double>
  @Persisted var stringMap: Map<String, String>
  @Persisted var dataMap: Map<String, Data>
  @Persisted var dateMap: Map<String, Date>
  @Persisted var uuidMap: Map<String, UUID>
  @Persisted var objectIdMap: Map<String, ObjectId>
  @Persisted var decimalMap: Map<String, Decimal128>
  @Persisted var colorMap: Map<String, Color>
  @Persisted var levelMap: Map<String, Level>
  @Persisted var linkMap: Map<String, AllTypes?>

  @Persisted var optionalBoolMap: Map<String, Bool?>
  @Persisted var optionalIntMap: Map<String, Int?>
  @Persisted var optionalInt8Map: Map<String, Int8?>
  @Persisted var optionalInt16Map: Map<String, Int16?>
  @Persisted var optionalInt32Map: Map<String, Int32?>
  @Persisted var optionalInt64Map: Map<String, Int64?>
  @Persisted var optionalFloatMap: Map<String, Float?>
  @Persisted var optionalDoubleMap: Map<String, Double?>
  @Persisted var optionalStringMap: Map<String, String?>
  @Persisted var optionalDataMap: Map<String, Data?>
  @Persisted var optionalDateMap: Map<String, Date?>
  @Persisted var optionalUUIDMap: Map<String, UUID?>
  @Persisted var optionalObjectIdMap: Map<String, ObjectId?>
  @Persisted var optionalDecimalMap: Map<String, Decimal128?>
  @Persisted var optionalColorMap: Map<String, Color?>
  @Persisted var optionalLevelMap: Map<String, Level?>
}
