import Foundation
import Testing
import VarveEncoding
import VarveStorage
import VarveTestSupport

@testable import VarveCore

@Suite struct IndexRangeTests {

  /// A range and a predicate that defines the values in it.
  private struct Question {
    let name: String
    let range: IndexRange
    let matches: (Value) -> Bool
  }

  private static func text(_ bound: IndexBound) -> String {
    switch bound {
    case .none: "any"
    case .inclusive(let value): "[\(text(value))"
    case .exclusive(let value): "(\(text(value))"
    }
  }

  /// Foundation traps when it formats a date that is not a number.
  private static func text(_ value: Value) -> String {
    if case .date(let date) = value { return "date \(date.timeIntervalSinceReferenceDate)" }
    return "\(value)"
  }

  private func bound(
    _ index: PropertyIndex, _ lower: IndexBound, _ upper: IndexBound
  ) -> Question {
    Question(
      name: "\(Self.text(lower)) to \(Self.text(upper))",
      range: .between(ValueBounds(lower, upper), of: index)
    ) { value in
      let isAbove =
        switch lower {
        case .none: true
        case .inclusive(let bound): value.satisfies(.greaterOrEqual, bound, [])
        case .exclusive(let bound): value.satisfies(.greater, bound, [])
        }
      let isBelow =
        switch upper {
        case .none: true
        case .inclusive(let bound): value.satisfies(.lessOrEqual, bound, [])
        case .exclusive(let bound): value.satisfies(.less, bound, [])
        }
      return isAbove && isBelow
    }
  }

  private func questions(
    _ index: PropertyIndex, _ random: inout SeededRandom
  ) -> [Question] {
    let type = index.kind.type
    var constants = (0..<3).map { _ in random.value(type) }
    constants += (0..<2).map { _ in random.number() }
    constants += [random.value(.mixed), .null, .link(classID: 4, objectID: 1)]
    var result = [
      Question(name: "all", range: .all(of: index)) { _ in true },
      Question(name: "null", range: .null(of: index)) { $0.isNull },
      Question(name: "not null", range: .notNull(of: index)) { !$0.isNull },
    ]
    for constant in constants {
      result.append(
        Question(name: "= \(Self.text(constant))", range: .equal(to: constant, of: index)) {
          $0.satisfies(.equal, constant, [])
        })
      result.append(
        Question(name: "begins \(Self.text(constant))", range: .prefix(constant, of: index)) {
          $0.satisfies(.beginsWith, constant, [])
        })
      let other = random.pick(constants)
      for lower in [IndexBound.none, .inclusive(constant), .exclusive(constant)] {
        for upper in [IndexBound.none, .inclusive(other), .exclusive(other)] {
          result.append(bound(index, lower, upper))
        }
      }
    }
    if case .string(let text) = constants[0] {
      for count in [1, 300, 440, 441, 500] {
        let prefix = Value.string(String(decoding: text.utf8.prefix(count), as: UTF8.self))
        result.append(
          Question(name: "begins \(Self.text(prefix))", range: .prefix(prefix, of: index)) {
            $0.satisfies(.beginsWith, prefix, [])
          })
      }
    }
    return result
  }

  private func check(
    _ question: Question, _ values: [UInt64: Value], _ reader: any TableReader, _ seed: String
  ) throws {
    let expected = values.filter { question.matches($0.value) }.map(\.key).sorted()
    let note = Comment(rawValue: "\(question.name) \(seed)")
    #expect(try question.range.ids(reader) == expected, note)
    #expect(try question.range.count(reader) == expected.count, note)
    let estimate = question.range.estimate(reader)
    #expect(expected.isEmpty || estimate > 0, note)
    var forward: [UInt64] = []
    try question.range.walk(reader) { (id) throws(Failure) in
      forward.append(id)
      return true
    }
    #expect(forward == sorted(expected, values, isAscending: true), note)
    var backward: [UInt64] = []
    try question.range.walk(reader, ascending: false) { (id) throws(Failure) in
      backward.append(id)
      return true
    }
    let reversed = sorted(expected, values, isAscending: false)
    #expect(backward == reversed, note)
    #expect(
      try question.range.firstIDs(3, reader, ascending: false) == Array(reversed.prefix(3)), note)
  }

  /// Sorts by value, then by id, like `SortOrder`.
  private func sorted(
    _ ids: [UInt64], _ values: [UInt64: Value], isAscending: Bool
  ) -> [UInt64] {
    ids.sorted { first, second in
      let a = values[first] ?? .null
      let b = values[second] ?? .null
      switch SortOrder.order(a, b) {
      case .ascending: return isAscending
      case .descending: return !isAscending
      case .equal, .unordered: return first < second
      }
    }
  }

  @Test(arguments: PropertyType.allCases)
  func rangesAgreeWithFilter(_ type: PropertyType) throws {
    var random = SeededRandom()
    try withIndexEnvironment { environment in
      let store = IndexTestStore(environment, type)
      for round in 0..<3 {
        var new: [UInt64: Value] = [:]
        for id in 0..<UInt64(round == 2 ? 200 : 30) {
          new[UInt64(round) << 40 + id * 3] = random.value(type)
        }
        let ranges = questions(store.index, &random)
        let snapshot = try store.enter(new) { transaction in
          for question in ranges { try check(question, store.values, transaction, "\(random)") }
        }
        for question in ranges { try check(question, store.values, snapshot, "\(random)") }
        let ordered = store.values.filter {
          !$0.value.isNull && !$0.value.isNaN && (type != .mixed || $0.value.asDouble != nil)
        }.map(\.key)
        for isAscending in [true, false] {
          let found = try IndexRange.extreme(of: store.index, snapshot, ascending: isAscending)
          #expect(
            found == sorted(ordered, store.values, isAscending: isAscending).first, "\(random)")
        }
      }
    }
  }

  @Test func unionsAgreeWithFilter() throws {
    var random = SeededRandom()
    for type in [PropertyType.string, .mixed, .int64, .double] {
      try withIndexEnvironment { environment in
        let store = IndexTestStore(environment, type)
        var new: [UInt64: Value] = [:]
        for id in 0..<UInt64(600) { new[id * 0x1_0000_0001] = random.value(type) }
        let snapshot = try store.enter(new)
        for _ in 0..<20 {
          let constants = (0..<random.below(20)).map { _ in random.value(type) }
          let union = IndexUnion(valuesEqualToAny: constants, of: store.index)
          let expected = store.values.filter { entry in
            constants.contains { entry.value.satisfies(.equal, $0, []) }
          }.map(\.key).sorted()
          #expect(try union.ids(snapshot) == expected, "\(random)")
          #expect(try union.count(snapshot) == expected.count, "\(random)")
          let cases = (0..<4).flatMap { _ in questions(store.index, &random).suffix(2) }
          let ranges = IndexUnion(cases.map(\.range), of: store.index)
          let all = store.values.filter { entry in cases.contains { $0.matches(entry.value) } }
          #expect(try ranges.ids(snapshot) == all.map(\.key).sorted(), "\(random)")
          #expect(try ranges.count(snapshot) == all.count, "\(random)")
        }
      }
    }
  }

  @Test func uniqueIndexStoresObjectsNextToKeys() throws {
    var random = SeededRandom()
    try withIndexEnvironment { environment in
      let store = IndexTestStore(environment, .string, isUnique: true)
      var new: [UInt64: Value] = [5: .null]
      for id in 10..<UInt64(300) {
        new[id] = .string(
          "\(random.below(10))" + String(repeating: "x", count: random.pick([1, 450])) + "\(id)")
      }
      let snapshot = try store.enter(new)
      for question in questions(store.index, &random) {
        try check(question, store.values, snapshot, "\(random)")
      }
      let some = Array(store.values.keys.sorted().prefix(40))
      let union = IndexUnion(
        valuesEqualToAny: some.compactMap { store.values[$0] }, of: store.index)
      #expect(try union.ids(snapshot) == some)
    }
  }

  @Test func idsWithAnyGapsAreSorted() {
    var random = SeededRandom()
    for (count, spread) in [(2, 3), (63, 1 << 40), (500, 1 << 12), (5000, 1 << 50), (300, 1 << 62)]
    {
      let ids = Set((0..<count).map { _ in UInt64(random.below(spread)) &* 2 })
      var sorted = ids.shuffled(using: &random)
      IDSorting.sort(&sorted)
      #expect(sorted == ids.sorted(), "\(random)")
      var doubled = (sorted + sorted).shuffled(using: &random)
      IDSorting.sortUnique(&doubled)
      #expect(doubled == sorted, "\(random)")
    }
  }

  @Test func integerKeysAreRangesOfObjectIDs() throws {
    var random = SeededRandom()
    let table = Table.objects(ofClass: 5)
    try withIndexEnvironment { environment in
      let transaction = try environment.beginWrite(timeout: .seconds(30))
      _ = try transaction.openTable(table, create: true)
      var keys: Set<Int64> = [.min, .max, 0]
      for _ in 0..<200 {
        if case .int(let key) = random.value(.int64) { keys.insert(key) }
        keys.insert(Int64(random.int(-200...200)))
      }
      for key in keys {
        try transaction.put(
          table, id: ObjectKey.objectID(forInteger: key),
          UnsafeRawBufferPointer(start: nil, count: 0))
      }
      let snapshot = try transaction.commit()
      for _ in 0..<300 {
        let bounds = (random.number(), random.oneIn(20) ? .string("a") : random.number())
        let range = IntegerKeyRange.between(.inclusive(bounds.0), .exclusive(bounds.1), of: table)
        let expected = keys.filter {
          Value.int($0).satisfies(.greaterOrEqual, bounds.0, [])
            && Value.int($0).satisfies(.less, bounds.1, [])
        }.sorted().map { ObjectKey.objectID(forInteger: $0) }
        #expect(range.ids(snapshot) == expected, "\(bounds) \(random)")
        #expect(range.count(snapshot) == expected.count, "\(bounds) \(random)")
        let equal = keys.filter { Value.int($0).satisfies(.equal, bounds.0, []) }
        #expect(
          IntegerKeyRange.equal(to: bounds.0, of: table).count(snapshot) == equal.count,
          "\(bounds) \(random)")
      }
    }
  }
}
