import Foundation
import Varve

extension AllTypes.New {
  /// The values of an object that no realm manages.
  init(_ object: AllTypes) {
    func entries<Value>(_ map: Map<String, Value>) -> [String: Value] {
      Dictionary(uniqueKeysWithValues: map.map { ($0.key, $0.value) })
    }
    self.init(
      id: object.id, bool: object.bool, int: object.int, int8: object.int8, int16: object.int16,
      int32: object.int32, int64: object.int64, float: object.float, double: object.double,
      string: object.string, data: object.data, date: object.date, uuid: object.uuid,
      objectId: object.objectId, decimal: object.decimal, color: object.color, level: object.level,
      optionalBool: object.optionalBool, optionalInt: object.optionalInt,
      optionalInt8: object.optionalInt8, optionalInt16: object.optionalInt16,
      optionalInt32: object.optionalInt32, optionalInt64: object.optionalInt64,
      optionalFloat: object.optionalFloat, optionalDouble: object.optionalDouble,
      optionalString: object.optionalString, optionalData: object.optionalData,
      optionalDate: object.optionalDate, optionalUUID: object.optionalUUID,
      optionalObjectId: object.optionalObjectId, optionalDecimal: object.optionalDecimal,
      optionalColor: object.optionalColor, optionalLevel: object.optionalLevel, link: object.link,
      bools: Array(object.bools), ints: Array(object.ints), int8s: Array(object.int8s),
      int16s: Array(object.int16s), int32s: Array(object.int32s), int64s: Array(object.int64s),
      floats: Array(object.floats), doubles: Array(object.doubles), strings: Array(object.strings),
      datas: Array(object.datas), dates: Array(object.dates), uuids: Array(object.uuids),
      objectIds: Array(object.objectIds), decimals: Array(object.decimals),
      colors: Array(object.colors), levels: Array(object.levels), links: Array(object.links),
      optionalBools: Array(object.optionalBools), optionalInts: Array(object.optionalInts),
      optionalInt8s: Array(object.optionalInt8s), optionalInt16s: Array(object.optionalInt16s),
      optionalInt32s: Array(object.optionalInt32s), optionalInt64s: Array(object.optionalInt64s),
      optionalFloats: Array(object.optionalFloats), optionalDoubles: Array(object.optionalDoubles),
      optionalStrings: Array(object.optionalStrings), optionalDatas: Array(object.optionalDatas),
      optionalDates: Array(object.optionalDates), optionalUUIDs: Array(object.optionalUUIDs),
      optionalObjectIds: Array(object.optionalObjectIds),
      optionalDecimals: Array(object.optionalDecimals),
      optionalColors: Array(object.optionalColors), optionalLevels: Array(object.optionalLevels),
      boolMap: entries(object.boolMap), intMap: entries(object.intMap),
      int8Map: entries(object.int8Map), int16Map: entries(object.int16Map),
      int32Map: entries(object.int32Map), int64Map: entries(object.int64Map),
      floatMap: entries(object.floatMap), doubleMap: entries(object.doubleMap),
      stringMap: entries(object.stringMap), dataMap: entries(object.dataMap),
      dateMap: entries(object.dateMap), uuidMap: entries(object.uuidMap),
      objectIdMap: entries(object.objectIdMap), decimalMap: entries(object.decimalMap),
      colorMap: entries(object.colorMap), levelMap: entries(object.levelMap),
      linkMap: entries(object.linkMap), optionalBoolMap: entries(object.optionalBoolMap),
      optionalIntMap: entries(object.optionalIntMap),
      optionalInt8Map: entries(object.optionalInt8Map),
      optionalInt16Map: entries(object.optionalInt16Map),
      optionalInt32Map: entries(object.optionalInt32Map),
      optionalInt64Map: entries(object.optionalInt64Map),
      optionalFloatMap: entries(object.optionalFloatMap),
      optionalDoubleMap: entries(object.optionalDoubleMap),
      optionalStringMap: entries(object.optionalStringMap),
      optionalDataMap: entries(object.optionalDataMap),
      optionalDateMap: entries(object.optionalDateMap),
      optionalUUIDMap: entries(object.optionalUUIDMap),
      optionalObjectIdMap: entries(object.optionalObjectIdMap),
      optionalDecimalMap: entries(object.optionalDecimalMap),
      optionalColorMap: entries(object.optionalColorMap),
      optionalLevelMap: entries(object.optionalLevelMap))
  }
}
