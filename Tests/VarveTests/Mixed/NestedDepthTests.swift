import Foundation
import Testing
import Varve

/// Mixed values with lists and dictionaries nested far deeper than the call stack allows.
@Suite struct NestedDepthTests {
  private static let depth = 100_000

  private enum Mix: CaseIterable {
    case lists, maps, both, pairs, objects

    /// A value with the given number of levels.
    func value(_ depth: Int) -> AnyRealmValue {
      var value: AnyRealmValue = 1
      for level in 0..<depth {
        switch self {
        case .lists: value = .fromArray([value])
        case .maps: value = .fromDictionary(["a": value])
        case .both: value = level % 2 == 0 ? .fromArray([value]) : .fromDictionary(["a": value])
        case .pairs: value = .fromArray([.fromDictionary(["a": 2]), value, 3])
        case .objects:
          let box = MixedBox(id: level, value: value)
          box.items.append([.object(box.next(level))])
          value = .object(box)
        }
      }
      return value
    }
  }

  @Test(arguments: Mix.allCases)
  private func deepValuesAreReleasedWithoutRecursion(mix: Mix) {
    onASmallStack {
      var value: AnyRealmValue? = mix.value(Self.depth)
      #expect(value != AnyRealmValue.none)
      value = nil
      // As an element, an entry and a property.
      let list = List<AnyRealmValue>()
      list.append(objectsIn: [mix.value(Self.depth), mix.value(Self.depth)])
      list.removeLast()
      list.removeAll()
      let map = Map<String, AnyRealmValue>()
      map["a"] = mix.value(Self.depth)
      map["a"] = mix.value(Self.depth)
      map["a"] = nil
      let box = MixedBox(id: 0, value: mix.value(Self.depth))
      box.items.append(mix.value(Self.depth))
      box.fields["a"] = mix.value(Self.depth)
      box.value = .none
    }
  }

  @Test func deepValuesCompareWithoutRecursion() {
    onASmallStack {
      for mix in [Mix.lists, .maps, .both, .pairs] {
        let value = mix.value(Self.depth)
        #expect(value == mix.value(Self.depth))
        #expect(value != mix.value(Self.depth - 1))
        #expect(value != mix.value(Self.depth + 2))
        #expect(Set([value, mix.value(Self.depth)]).count == 1)
        #expect(value.description.count < 1_000)
        #expect(value.listValue?.firstIndex(of: mix.value(Self.depth - 1)) != -1)
      }
    }
  }

  @Test func selfContainingValuesCompare() {
    let (first, second) = (List<AnyRealmValue>(), List<AnyRealmValue>())
    for list in [first, second] { list.append(objectsIn: [.list(list), 1, .list(list)]) }
    #expect(first == second)
    second.append(2)
    #expect(first != second)
    for list in [first, second] { list.removeAll() }
  }

  /// Each of 60 levels contains the level below twice.
  @Test func sharedValuesCompareOnce() {
    func value() -> AnyRealmValue {
      (0..<60).reduce(1) { value, _ in .fromArray([value, value]) }
    }
    #expect(value() == value())
  }

  @Test func elementsCompareByTypeAndValue() {
    #expect(AnyRealmValue.fromArray([1, nil, ["a": 2.5]]) == [1, nil, ["a": 2.5]])
    #expect(AnyRealmValue.fromArray([1]) != [1.0])
    #expect(AnyRealmValue.fromArray([]) != [:])
    #expect(AnyRealmValue.fromArray([[1]]) != [["a": 1]])
    #expect(AnyRealmValue.fromDictionary(["a": [1]]) != ["b": [1]])
    #expect(AnyRealmValue.fromDictionary(["a": [1]]) != ["a": [1], "b": nil])
    let gadget = Gadget(name: "a")
    #expect(AnyRealmValue.fromArray([.object(gadget)]) == [.object(gadget)])
    #expect(AnyRealmValue.fromArray([.object(gadget)]) != [.object(Gadget(name: "a"))])
    #expect(AnyRealmValue.fromArray([.double(.nan)]) != [.double(.nan)])
  }

  @Test func tooDeepValuesThrow() throws {
    try withTemporaryRealm { realm, store in
      onASmallStack(size: 8 << 20) {
        for mix in [Mix.lists, .maps, .both] {
          let value = mix.value(Self.depth)
          expectError(.invalidInput) {
            try realm.write { realm.add(MixedBox(id: 0, value: value)) }
          }
          expectError(.invalidInput) {
            try realm.write { realm.create(MixedBox.self, value: ["id": 0, "items": [value]]) }
          }
          let unmanaged = MixedBox(id: 0, value: value)
          let copy = MixedBox(value: unmanaged)
          #expect(copy.value == value)
          expectError(.invalidInput) {
            try realm.write { realm.create(MixedBox.self, value: unmanaged) }
          }
          try realm.write {
            let box = MixedBox(id: 1)
            realm.add(box, update: .all)
            #expect(realm.objects(MixedBox.self).where { $0.value == value }.isEmpty)
            #expect(realm.objects(MixedBox.self).where { $0.value != value }.count == 1)
            let found = try realm.objects(MixedBox.self).filter("value == %@", value)
            #expect(found.isEmpty)
            #expect(box.items.index(of: value) == nil)
          }
          expectRefusal(by: EncodingError.self) { try JSONEncoder().encode(value) }
          expectRefusal(by: EncodingError.self) { try PropertyListEncoder().encode([value]) }
        }
      }
      try store.check()
    }
  }

  @Test func hundredLevelsAreEncodedAndDecoded() throws {
    onASmallStack(size: 8 << 20) {
      for mix in [Mix.lists, .maps, .both] {
        let value = mix.value(100)
        let text = try JSONEncoder().encode(value)
        #expect(try JSONDecoder().decode(AnyRealmValue.self, from: text) == value)
        expectRefusal(by: EncodingError.self) { try JSONEncoder().encode(mix.value(101)) }
        let deeper = Data("[".utf8) + text + Data("]".utf8)
        expectRefusal(by: DecodingError.self) {
          try JSONDecoder().decode(AnyRealmValue.self, from: deeper)
        }
      }
    }
  }

  @Test func mixedValuesAreDecodedByType() throws {
    let text =
      #"[null,true,1,1.5,"a",[],{},[[[[[[[[[[[null,false,-2,1e300,"b",{"a":[{}]}]]]]]]]]]]]]"#
    let value = try JSONDecoder().decode(AnyRealmValue.self, from: Data(text.utf8))
    #expect(value[0] == AnyRealmValue.none && value[1] == true && value[2] == 1 && value[3] == 1.5)
    #expect(value[4] == "a" && value[5] == [] && value[6] == [:])
    var inner = value[7]
    for _ in 0..<10 { inner = inner?[0] }
    #expect(inner == [nil, false, -2, 1e300, "b", ["a": [[:]]]])
  }
}

extension MixedBox {
  /// An object that a list of the box links to.
  fileprivate func next(_ level: Int) -> Gadget { Gadget(name: "\(id) \(level)") }
}

/// Expects that a call throws an error of the given type.
private func expectRefusal<E: Error, R>(
  by type: E.Type, sourceLocation: SourceLocation = #_sourceLocation, _ call: () throws -> R
) {
  do {
    _ = try call()
    Issue.record("Nothing was thrown.", sourceLocation: sourceLocation)
  } catch {
    #expect(error is E, sourceLocation: sourceLocation)
  }
}
