import Foundation
import Testing
import Varve

@Suite struct ValueRoundTripTests {
  /// Compares the value of the property with the stored value.
  private func check(_ sample: ValueSample, _ object: AllTypes?, _ when: String) {
    let found = object.map(sample.found) ?? "no object"
    #expect(found == sample.expected, "\(sample.name) \(when)")
  }

  @Test func everyTypeRoundTripsExactly() throws {
    let samples = ValueSample.extremes
    let store = try TemporaryRealm()
    defer { store.end() }
    let realm = try store.open()
    var objects: [AllTypes] = []
    for (id, sample) in samples.enumerated() {
      let object = AllTypes()
      object.id = id
      sample.store(object)
      check(sample, object, "unmanaged")
      objects.append(object)
    }
    try realm.write {
      realm.add(objects)
      for (sample, object) in zip(samples, objects) { check(sample, object, "in the write") }
    }
    let frozen = realm.freeze()
    for (id, sample) in samples.enumerated() {
      check(sample, objects[id], "live")
      check(sample, frozen.object(ofType: AllTypes.self, forPrimaryKey: id), "frozen")
    }
    try store.close()
    let again = try store.open()
    for (id, sample) in samples.enumerated() {
      check(sample, again.object(ofType: AllTypes.self, forPrimaryKey: id), "reopened")
    }
  }

  @Test func everyTypeCanBeSetOnManagedObject() throws {
    let samples = ValueSample.extremes
    try withTemporaryRealm { realm, store in
      var objects: [AllTypes] = []
      try realm.write {
        for id in samples.indices {
          objects.append(realm.create(AllTypes.self, value: ["id": id]))
        }
      }
      try realm.write {
        for (sample, object) in zip(samples, objects) {
          sample.store(object)
          check(sample, object, "in the write")
        }
      }
      for (sample, object) in zip(samples, objects) { check(sample, object, "live") }
      // Each sample overwrites the previous value of its property.
      let one = objects[0]
      for sample in samples where !sample.name.contains("of") {
        try realm.write {
          sample.store(one)
          check(sample, one, "over another, in the write")
        }
        check(sample, one, "over another")
      }
    }
  }

  @Test func declaredDefaultsAndZeroValuesAreStored() throws {
    try withTemporaryRealm { realm, store in
      let object = try realm.write { realm.create(AllTypes.self, value: ["id": 1]) }
      #expect(object.bool == false && object.int == 0 && object.double == 0 && object.string == "")
      #expect(object.data == Data() && object.date == Date(timeIntervalSince1970: 0))
      #expect(object.color == .red && object.level == .low)
      #expect(object.optionalInt == nil && object.link == nil && object.optionalString == nil)
      #expect(object.ints.isEmpty && object.intMap.isEmpty && object.links.isEmpty)
      let uuid = object.uuid
      let objectId = object.objectId
      #expect(object.uuid == uuid && object.objectId == objectId)
      try store.close()
      let again = try store.open().object(ofType: AllTypes.self, forPrimaryKey: 1)
      #expect(again?.uuid == uuid && again?.objectId == objectId)
    }
  }

  @Test func linksResolveToTheirObjects() throws {
    try withTemporaryRealm { realm, store in
      let first = AllTypes(value: ["id": 1])
      let second = AllTypes(value: ["id": 2])
      first.link = second
      second.link = second
      first.links.append(objectsIn: [first, second, second])
      first.linkMap["self"] = .some(first)
      first.linkMap["none"] = .some(nil)
      try realm.write { realm.add(first) }
      #expect(first.link?.isSameObject(as: second) == true)
      #expect(second.link?.link?.link?.id == 2)
      #expect(first.links.map(\.id) == [1, 2, 2])
      #expect(first.linkMap["self"]??.id == 1)
      #expect(first.linkMap["none"] == .some(nil) && first.linkMap["absent"] == nil)
      #expect(first.linkMap.count == 2 && first.linkMap.contains(key: "none"))
      try realm.write { first.link = nil }
      #expect(first.link == nil)
    }
  }

  @Test func unknownRawValuesReadAsFirstCaseOrNil() throws {
    try withTemporaryRealm { realm, _ in
      let object = try realm.write { () -> AllTypes in
        let object = realm.create(AllTypes.self, value: ["id": 1])
        object.color = .blue
        object.optionalLevel = .high
        return object
      }
      try realm.write { realm.create(EnumAsText.self, value: ["text": "purple", "number": 99]) }
      #expect(object.color == .blue && object.optionalLevel == .high)
      let other = realm.objects(RenamedEnum.EnumAsText.self).first
      #expect(other?.text == .red && other?.number == nil)
    }
  }
}

@Model final class EnumAsText: Object {
  @Persisted var text: String
  @Persisted var number: Int?
}

/// The same class in a version of the program that declares the properties as enums.
enum RenamedEnum {
  @Model final class EnumAsText: Object {
    @Persisted var text: Color
    @Persisted var number: Level?
  }
}
