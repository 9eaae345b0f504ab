import Foundation
import Testing
import Varve
import VarveCore

/// Each operator on each type of number: it compiles, and creates the expected condition.
@Suite struct NumberQueryTextTests {
  private func check(
    _ text: String, _ condition: (Query<AllTypes>) -> Query<Bool>,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let found = condition(Query()).condition.description
    #expect(found == text, sourceLocation: sourceLocation)
  }

  @Test func intSupportsEveryOperator() {
    check("int == 5") { $0.int == 5 }
    check("int != 5") { $0.int != 5 }
    check("int < 5") { $0.int < 5 }
    check("int <= 5") { $0.int <= 5 }
    check("int > 5") { $0.int > 5 }
    check("int >= 5") { $0.int >= 5 }
    check("int > 5") { 5 < $0.int }
    check("int == 5") { 5 == $0.int }
    check("int IN {1, 5}") { $0.int.in([1, 5]) }
    check("int BETWEEN {1, 5}") { $0.int.contains(1...5) }
    check("(int >= 1 AND int < 5)") { $0.int.contains(1..<5) }
    check("int >= 5") { $0.int.contains(5...) }
    check("int <= 5") { $0.int.contains(...5) }
    check("int < 5") { $0.int.contains(..<5) }
    check("int BETWEEN {1, 5}") { $0.int.between(1, 5) }
    check("(int + 1) == 5") { $0.int + 1 == 5 }
    check("(1 - int) < 5") { 1 - $0.int < 5 }
    check("(int * int) > (int / 5)") { $0.int * $0.int > $0.int / 5 }
    check("int == optionalInt") { $0.int == $0.optionalInt }
    check("optionalInt != int") { $0.optionalInt != $0.int }
    check("optionalInt <= int") { $0.optionalInt <= $0.int }
    check("(int + optionalInt) == 5") { $0.int + $0.optionalInt == 5 }
    check("optionalInt == NULL") { $0.optionalInt == nil }
    check("optionalInt != NULL") { nil != $0.optionalInt }
    check("optionalInt >= 5") { $0.optionalInt >= 5 }
    check("optionalInt IN {1, NULL}") { $0.optionalInt.in([1, nil]) }
    check("optionalInt BETWEEN {1, 5}") { $0.optionalInt.contains(1...5) }
    check("optionalInt < 5") { $0.optionalInt.contains(..<5) }
    check("(optionalInt * 5) == optionalInt") { $0.optionalInt * 5 == $0.optionalInt }
  }

  @Test func int8SupportsEveryOperator() {
    check("int8 == 5") { $0.int8 == 5 }
    check("int8 != 5") { $0.int8 != 5 }
    check("int8 < 5") { $0.int8 < 5 }
    check("int8 <= 5") { $0.int8 <= 5 }
    check("int8 > 5") { $0.int8 > 5 }
    check("int8 >= 5") { $0.int8 >= 5 }
    check("int8 > 5") { 5 < $0.int8 }
    check("int8 == 5") { 5 == $0.int8 }
    check("int8 IN {1, 5}") { $0.int8.in([1, 5]) }
    check("int8 BETWEEN {1, 5}") { $0.int8.contains(1...5) }
    check("(int8 >= 1 AND int8 < 5)") { $0.int8.contains(1..<5) }
    check("int8 >= 5") { $0.int8.contains(5...) }
    check("int8 <= 5") { $0.int8.contains(...5) }
    check("int8 < 5") { $0.int8.contains(..<5) }
    check("int8 BETWEEN {1, 5}") { $0.int8.between(1, 5) }
    check("(int8 + 1) == 5") { $0.int8 + 1 == 5 }
    check("(1 - int8) < 5") { 1 - $0.int8 < 5 }
    check("(int8 * int8) > (int8 / 5)") { $0.int8 * $0.int8 > $0.int8 / 5 }
    check("int8 == optionalInt8") { $0.int8 == $0.optionalInt8 }
    check("optionalInt8 != int8") { $0.optionalInt8 != $0.int8 }
    check("optionalInt8 <= int8") { $0.optionalInt8 <= $0.int8 }
    check("(int8 + optionalInt8) == 5") { $0.int8 + $0.optionalInt8 == 5 }
    check("optionalInt8 == NULL") { $0.optionalInt8 == nil }
    check("optionalInt8 != NULL") { nil != $0.optionalInt8 }
    check("optionalInt8 >= 5") { $0.optionalInt8 >= 5 }
    check("optionalInt8 IN {1, NULL}") { $0.optionalInt8.in([1, nil]) }
    check("optionalInt8 BETWEEN {1, 5}") { $0.optionalInt8.contains(1...5) }
    check("optionalInt8 < 5") { $0.optionalInt8.contains(..<5) }
    check("(optionalInt8 * 5) == optionalInt8") { $0.optionalInt8 * 5 == $0.optionalInt8 }
  }

  @Test func int16SupportsEveryOperator() {
    check("int16 == 5") { $0.int16 == 5 }
    check("int16 != 5") { $0.int16 != 5 }
    check("int16 < 5") { $0.int16 < 5 }
    check("int16 <= 5") { $0.int16 <= 5 }
    check("int16 > 5") { $0.int16 > 5 }
    check("int16 >= 5") { $0.int16 >= 5 }
    check("int16 > 5") { 5 < $0.int16 }
    check("int16 == 5") { 5 == $0.int16 }
    check("int16 IN {1, 5}") { $0.int16.in([1, 5]) }
    check("int16 BETWEEN {1, 5}") { $0.int16.contains(1...5) }
    check("(int16 >= 1 AND int16 < 5)") { $0.int16.contains(1..<5) }
    check("int16 >= 5") { $0.int16.contains(5...) }
    check("int16 <= 5") { $0.int16.contains(...5) }
    check("int16 < 5") { $0.int16.contains(..<5) }
    check("int16 BETWEEN {1, 5}") { $0.int16.between(1, 5) }
    check("(int16 + 1) == 5") { $0.int16 + 1 == 5 }
    check("(1 - int16) < 5") { 1 - $0.int16 < 5 }
    check("(int16 * int16) > (int16 / 5)") { $0.int16 * $0.int16 > $0.int16 / 5 }
    check("int16 == optionalInt16") { $0.int16 == $0.optionalInt16 }
    check("optionalInt16 != int16") { $0.optionalInt16 != $0.int16 }
    check("optionalInt16 <= int16") { $0.optionalInt16 <= $0.int16 }
    check("(int16 + optionalInt16) == 5") { $0.int16 + $0.optionalInt16 == 5 }
    check("optionalInt16 == NULL") { $0.optionalInt16 == nil }
    check("optionalInt16 != NULL") { nil != $0.optionalInt16 }
    check("optionalInt16 >= 5") { $0.optionalInt16 >= 5 }
    check("optionalInt16 IN {1, NULL}") { $0.optionalInt16.in([1, nil]) }
    check("optionalInt16 BETWEEN {1, 5}") { $0.optionalInt16.contains(1...5) }
    check("optionalInt16 < 5") { $0.optionalInt16.contains(..<5) }
    check("(optionalInt16 * 5) == optionalInt16") { $0.optionalInt16 * 5 == $0.optionalInt16 }
  }

  @Test func int32SupportsEveryOperator() {
    check("int32 == 5") { $0.int32 == 5 }
    check("int32 != 5") { $0.int32 != 5 }
    check("int32 < 5") { $0.int32 < 5 }
    check("int32 <= 5") { $0.int32 <= 5 }
    check("int32 > 5") { $0.int32 > 5 }
    check("int32 >= 5") { $0.int32 >= 5 }
    check("int32 > 5") { 5 < $0.int32 }
    check("int32 == 5") { 5 == $0.int32 }
    check("int32 IN {1, 5}") { $0.int32.in([1, 5]) }
    check("int32 BETWEEN {1, 5}") { $0.int32.contains(1...5) }
    check("(int32 >= 1 AND int32 < 5)") { $0.int32.contains(1..<5) }
    check("int32 >= 5") { $0.int32.contains(5...) }
    check("int32 <= 5") { $0.int32.contains(...5) }
    check("int32 < 5") { $0.int32.contains(..<5) }
    check("int32 BETWEEN {1, 5}") { $0.int32.between(1, 5) }
    check("(int32 + 1) == 5") { $0.int32 + 1 == 5 }
    check("(1 - int32) < 5") { 1 - $0.int32 < 5 }
    check("(int32 * int32) > (int32 / 5)") { $0.int32 * $0.int32 > $0.int32 / 5 }
    check("int32 == optionalInt32") { $0.int32 == $0.optionalInt32 }
    check("optionalInt32 != int32") { $0.optionalInt32 != $0.int32 }
    check("optionalInt32 <= int32") { $0.optionalInt32 <= $0.int32 }
    check("(int32 + optionalInt32) == 5") { $0.int32 + $0.optionalInt32 == 5 }
    check("optionalInt32 == NULL") { $0.optionalInt32 == nil }
    check("optionalInt32 != NULL") { nil != $0.optionalInt32 }
    check("optionalInt32 >= 5") { $0.optionalInt32 >= 5 }
    check("optionalInt32 IN {1, NULL}") { $0.optionalInt32.in([1, nil]) }
    check("optionalInt32 BETWEEN {1, 5}") { $0.optionalInt32.contains(1...5) }
    check("optionalInt32 < 5") { $0.optionalInt32.contains(..<5) }
    check("(optionalInt32 * 5) == optionalInt32") { $0.optionalInt32 * 5 == $0.optionalInt32 }
  }

  @Test func int64SupportsEveryOperator() {
    check("int64 == 5") { $0.int64 == 5 }
    check("int64 != 5") { $0.int64 != 5 }
    check("int64 < 5") { $0.int64 < 5 }
    check("int64 <= 5") { $0.int64 <= 5 }
    check("int64 > 5") { $0.int64 > 5 }
    check("int64 >= 5") { $0.int64 >= 5 }
    check("int64 > 5") { 5 < $0.int64 }
    check("int64 == 5") { 5 == $0.int64 }
    check("int64 IN {1, 5}") { $0.int64.in([1, 5]) }
    check("int64 BETWEEN {1, 5}") { $0.int64.contains(1...5) }
    check("(int64 >= 1 AND int64 < 5)") { $0.int64.contains(1..<5) }
    check("int64 >= 5") { $0.int64.contains(5...) }
    check("int64 <= 5") { $0.int64.contains(...5) }
    check("int64 < 5") { $0.int64.contains(..<5) }
    check("int64 BETWEEN {1, 5}") { $0.int64.between(1, 5) }
    check("(int64 + 1) == 5") { $0.int64 + 1 == 5 }
    check("(1 - int64) < 5") { 1 - $0.int64 < 5 }
    check("(int64 * int64) > (int64 / 5)") { $0.int64 * $0.int64 > $0.int64 / 5 }
    check("int64 == optionalInt64") { $0.int64 == $0.optionalInt64 }
    check("optionalInt64 != int64") { $0.optionalInt64 != $0.int64 }
    check("optionalInt64 <= int64") { $0.optionalInt64 <= $0.int64 }
    check("(int64 + optionalInt64) == 5") { $0.int64 + $0.optionalInt64 == 5 }
    check("optionalInt64 == NULL") { $0.optionalInt64 == nil }
    check("optionalInt64 != NULL") { nil != $0.optionalInt64 }
    check("optionalInt64 >= 5") { $0.optionalInt64 >= 5 }
    check("optionalInt64 IN {1, NULL}") { $0.optionalInt64.in([1, nil]) }
    check("optionalInt64 BETWEEN {1, 5}") { $0.optionalInt64.contains(1...5) }
    check("optionalInt64 < 5") { $0.optionalInt64.contains(..<5) }
    check("(optionalInt64 * 5) == optionalInt64") { $0.optionalInt64 * 5 == $0.optionalInt64 }
  }

  @Test func floatSupportsEveryOperator() {
    check("float == 2.5") { $0.float == 2.5 }
    check("float != 2.5") { $0.float != 2.5 }
    check("float < 2.5") { $0.float < 2.5 }
    check("float <= 2.5") { $0.float <= 2.5 }
    check("float > 2.5") { $0.float > 2.5 }
    check("float >= 2.5") { $0.float >= 2.5 }
    check("float > 2.5") { 2.5 < $0.float }
    check("float == 2.5") { 2.5 == $0.float }
    check("float IN {1.0, 2.5}") { $0.float.in([1, 2.5]) }
    check("float BETWEEN {1.0, 2.5}") { $0.float.contains(1...2.5) }
    check("(float >= 1.0 AND float < 2.5)") { $0.float.contains(1..<2.5) }
    check("float >= 2.5") { $0.float.contains(2.5...) }
    check("float <= 2.5") { $0.float.contains(...2.5) }
    check("float < 2.5") { $0.float.contains(..<2.5) }
    check("float BETWEEN {1.0, 2.5}") { $0.float.between(1, 2.5) }
    check("(float + 1.0) == 2.5") { $0.float + 1 == 2.5 }
    check("(1.0 - float) < 2.5") { 1 - $0.float < 2.5 }
    check("(float * float) > (float / 2.5)") { $0.float * $0.float > $0.float / 2.5 }
    check("float == optionalFloat") { $0.float == $0.optionalFloat }
    check("optionalFloat != float") { $0.optionalFloat != $0.float }
    check("optionalFloat <= float") { $0.optionalFloat <= $0.float }
    check("(float + optionalFloat) == 2.5") { $0.float + $0.optionalFloat == 2.5 }
    check("optionalFloat == NULL") { $0.optionalFloat == nil }
    check("optionalFloat != NULL") { nil != $0.optionalFloat }
    check("optionalFloat >= 2.5") { $0.optionalFloat >= 2.5 }
    check("optionalFloat IN {1.0, NULL}") { $0.optionalFloat.in([1, nil]) }
    check("optionalFloat BETWEEN {1.0, 2.5}") { $0.optionalFloat.contains(1...2.5) }
    check("optionalFloat < 2.5") { $0.optionalFloat.contains(..<2.5) }
    check("(optionalFloat * 2.5) == optionalFloat") { $0.optionalFloat * 2.5 == $0.optionalFloat }
  }

  @Test func doubleSupportsEveryOperator() {
    check("double == 2.5") { $0.double == 2.5 }
    check("double != 2.5") { $0.double != 2.5 }
    check("double < 2.5") { $0.double < 2.5 }
    check("double <= 2.5") { $0.double <= 2.5 }
    check("double > 2.5") { $0.double > 2.5 }
    check("double >= 2.5") { $0.double >= 2.5 }
    check("double > 2.5") { 2.5 < $0.double }
    check("double == 2.5") { 2.5 == $0.double }
    check("double IN {1.0, 2.5}") { $0.double.in([1, 2.5]) }
    check("double BETWEEN {1.0, 2.5}") { $0.double.contains(1...2.5) }
    check("(double >= 1.0 AND double < 2.5)") { $0.double.contains(1..<2.5) }
    check("double >= 2.5") { $0.double.contains(2.5...) }
    check("double <= 2.5") { $0.double.contains(...2.5) }
    check("double < 2.5") { $0.double.contains(..<2.5) }
    check("double BETWEEN {1.0, 2.5}") { $0.double.between(1, 2.5) }
    check("(double + 1.0) == 2.5") { $0.double + 1 == 2.5 }
    check("(1.0 - double) < 2.5") { 1 - $0.double < 2.5 }
    check("(double * double) > (double / 2.5)") { $0.double * $0.double > $0.double / 2.5 }
    check("double == optionalDouble") { $0.double == $0.optionalDouble }
    check("optionalDouble != double") { $0.optionalDouble != $0.double }
    check("optionalDouble <= double") { $0.optionalDouble <= $0.double }
    check("(double + optionalDouble) == 2.5") { $0.double + $0.optionalDouble == 2.5 }
    check("optionalDouble == NULL") { $0.optionalDouble == nil }
    check("optionalDouble != NULL") { nil != $0.optionalDouble }
    check("optionalDouble >= 2.5") { $0.optionalDouble >= 2.5 }
    check("optionalDouble IN {1.0, NULL}") { $0.optionalDouble.in([1, nil]) }
    check("optionalDouble BETWEEN {1.0, 2.5}") { $0.optionalDouble.contains(1...2.5) }
    check("optionalDouble < 2.5") { $0.optionalDouble.contains(..<2.5) }
    check("(optionalDouble * 2.5) == optionalDouble") {
      $0.optionalDouble * 2.5 == $0.optionalDouble
    }
  }

  @Test func decimalSupportsEveryOperator() {
    check("decimal == decimal(2.5)") { $0.decimal == 2.5 }
    check("decimal != decimal(2.5)") { $0.decimal != 2.5 }
    check("decimal < decimal(2.5)") { $0.decimal < 2.5 }
    check("decimal <= decimal(2.5)") { $0.decimal <= 2.5 }
    check("decimal > decimal(2.5)") { $0.decimal > 2.5 }
    check("decimal >= decimal(2.5)") { $0.decimal >= 2.5 }
    check("decimal > decimal(2.5)") { 2.5 < $0.decimal }
    check("decimal == decimal(2.5)") { 2.5 == $0.decimal }
    check("decimal IN {decimal(1), decimal(2.5)}") { $0.decimal.in([1, 2.5]) }
    check("decimal BETWEEN {decimal(1), decimal(2.5)}") { $0.decimal.contains(1...2.5) }
    check("(decimal >= decimal(1) AND decimal < decimal(2.5))") { $0.decimal.contains(1..<2.5) }
    check("decimal >= decimal(2.5)") { $0.decimal.contains(2.5...) }
    check("decimal <= decimal(2.5)") { $0.decimal.contains(...2.5) }
    check("decimal < decimal(2.5)") { $0.decimal.contains(..<2.5) }
    check("decimal BETWEEN {decimal(1), decimal(2.5)}") { $0.decimal.between(1, 2.5) }
    check("(decimal + decimal(1)) == decimal(2.5)") { $0.decimal + 1 == 2.5 }
    check("(decimal(1) - decimal) < decimal(2.5)") { 1 - $0.decimal < 2.5 }
    check("(decimal * decimal) > (decimal / decimal(2.5))") {
      $0.decimal * $0.decimal > $0.decimal / 2.5
    }
    check("decimal == optionalDecimal") { $0.decimal == $0.optionalDecimal }
    check("optionalDecimal != decimal") { $0.optionalDecimal != $0.decimal }
    check("optionalDecimal <= decimal") { $0.optionalDecimal <= $0.decimal }
    check("(decimal + optionalDecimal) == decimal(2.5)") { $0.decimal + $0.optionalDecimal == 2.5 }
    check("optionalDecimal == NULL") { $0.optionalDecimal == nil }
    check("optionalDecimal != NULL") { nil != $0.optionalDecimal }
    check("optionalDecimal >= decimal(2.5)") { $0.optionalDecimal >= 2.5 }
    check("optionalDecimal IN {decimal(1), NULL}") { $0.optionalDecimal.in([1, nil]) }
    check("optionalDecimal BETWEEN {decimal(1), decimal(2.5)}") {
      $0.optionalDecimal.contains(1...2.5)
    }
    check("optionalDecimal < decimal(2.5)") { $0.optionalDecimal.contains(..<2.5) }
    check("(optionalDecimal * decimal(2.5)) == optionalDecimal") {
      $0.optionalDecimal * 2.5 == $0.optionalDecimal
    }
  }

  @Test func numbersOfDifferentTypesAreCompared() {
    check("int < double") { $0.int < $0.double }
    check("int8 == optionalDecimal") { $0.int8 == $0.optionalDecimal }
    check("optionalFloat >= int64") { $0.optionalFloat >= $0.int64 }
    check("(int * double) > 2.5") { $0.int * $0.double > 2.5 }
    check("(optionalInt8 + float) == NULL") { $0.optionalInt8 + $0.float == nil }
    check("(int * 1.5) < double") { $0.int * 1.5 < $0.double }
    check("(1.5 / int16) < 1.0") { 1.5 / $0.int16 < 1 }
    check("((int + 1) * (int - 1)) == 8") { ($0.int + 1) * ($0.int - 1) == 8 }
  }
}
