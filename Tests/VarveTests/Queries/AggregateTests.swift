import Foundation
import Testing
import Varve

@Suite struct AggregateTests {
  @Test func aggregatesIgnoreNullAndNaN() throws {
    try withTemporaryRealm { realm, _ in
      let all = realm.objects(Sample.self)
      try realm.write {
        for (id, double) in [.nan, 3, -1, .nan, 2].enumerated() {
          let sample = Sample(value: ["id": id])
          sample.double = double
          sample.number = id % 2 == 0 ? id : nil
          sample.date = id == 0 ? nil : Date(timeIntervalSinceReferenceDate: Double(-id))
          realm.add(sample)
        }
        #expect(all.sum(of: \.number) == 6 && all.min(of: \.double) == -1)
      }
      #expect(all.min(of: \.double) == -1 && all.max(of: \.double) == 3)
      #expect(all.sum(of: \.double).isNaN && all.average(of: \.double)?.isNaN == true)
      #expect(all.min(of: \.number) == 0 && all.max(of: \.number) == 4)
      #expect(all.sum(of: \.number) == 6 && all.average(of: \.number) == 2)
      #expect(all.min(of: \.date) == Date(timeIntervalSinceReferenceDate: -4))
      #expect(all.max(of: \.date) == Date(timeIntervalSinceReferenceDate: -1))
      #expect(all.min(of: \.optionalDouble) == nil && all.average(of: \.optionalDouble) == nil)
      #expect(all.sum(of: \.optionalDouble) == 0)
      #expect(all.where { $0.id > 99 }.sum(of: \.id) == 0)
      #expect(all.where { $0.id > 99 }.max(of: \.id) == nil)
    }
  }

  @Test func integerAggregatesAreExactAndWrapAround() throws {
    try withTemporaryRealm { realm, _ in
      let big = 1 << 53
      try realm.write {
        for (id, number) in [big + 1, big, big - 1, .max].enumerated() {
          realm.create(Sample.self, value: ["id": id, "number": number, "small": 100])
        }
      }
      let all = realm.objects(Sample.self)
      #expect(all.where { $0.number < .max }.max(of: \.number) == big + 1)
      #expect(all.where { $0.number <= big + 1 }.sum(of: \.number) == 3 * big)
      #expect(all.sum(of: \.number) == Int.max &+ 3 * big)
      #expect(all.sum(of: \.small) == Int8(truncatingIfNeeded: 400))
      #expect(all.average(of: \.small) == 100)
    }
  }

  @Test func integersCompareWithDoublesExactly() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write {
        for (id, number) in [(1 << 53) + 1, 1 << 53, 5].enumerated() {
          let sample = Sample(value: ["id": id, "number": number])
          sample.double = id == 2 ? 5 : 0x1p53
          sample.optionalDouble = id == 2 ? 5.5 : .infinity
          realm.add(sample)
        }
      }
      let all = realm.objects(Sample.self)
      #expect(all.where { $0.number == (1 << 53) + 1 }.map(\.id) == [0])
      #expect(all.where { $0.number > 1 << 53 }.map(\.id) == [0])
      #expect(all.where { $0.double > 5 }.map(\.id) == [0, 1])
    }
  }

  @Test func listsAndMapsOfNumbersAreAggregated() throws {
    try withTemporaryRealm { realm, _ in
      let object = AllTypes(value: ["id": 1, "ints": [3, 1, 2], "doubles": [.nan, 2, 1]])
      object.optionalInts.append(objectsIn: [nil, 4, nil, -4, 3])
      object.intMap["a"] = 5
      object.intMap["b"] = 7
      for _ in 0..<2 {
        #expect(object.ints.min() == 1 && object.ints.max() == 3 && object.ints.sum() == 6)
        #expect(object.ints.average() == 2 && object.doubles.min() == 1)
        #expect(object.optionalInts.sum() == 3 && object.optionalInts.average() == 1)
        #expect(object.optionalInts.max() == 4 && object.optionalInts.min() == -4)
        #expect(
          object.intMap.sum() == 12 && object.intMap.max() == 7 && object.intMap.average() == 6)
        #expect(
          object.floats.min() == nil && object.floats.sum() == 0 && object.floats.average() == nil)
        if object.realm == nil { try realm.write { realm.add(object) } }
      }
    }
  }
}
