import Foundation
import Testing
import Varve
import VarveTestSupport

/// Conditions as values: compared, nested, and joined by the thousand.
@Suite struct ConditionTests {
  private func withSamples(_ body: (Realm, [Sample]) throws -> Void) throws {
    try withTemporaryRealm { realm, _ in
      let samples = try realm.write {
        (0..<8).map { id in
          realm.create(
            Sample.self, value: ["id": id, "flag": id % 2 == 0, "number": id / 2, "small": id])
        }
      }
      try body(realm, samples)
    }
  }

  @Test func conditionsAreComparedLikeBools() throws {
    try withSamples { realm, samples in
      let all = realm.objects(Sample.self)
      func check(
        _ condition: (Query<Sample>) -> Query<Bool>, _ closure: (Sample) -> Bool,
        sourceLocation: SourceLocation = #_sourceLocation
      ) {
        #expect(
          all.where(condition).map(\.id) == samples.filter(closure).map(\.id),
          sourceLocation: sourceLocation)
        #expect(
          all.where { !condition($0) }.map(\.id) == samples.filter { !closure($0) }.map(\.id),
          sourceLocation: sourceLocation)
      }
      check({ ($0.small > 5) == true }, { $0.small > 5 })
      check({ ($0.small > 5) == false }, { $0.small <= 5 })
      check({ ($0.small > 5) != true }, { $0.small <= 5 })
      check({ ($0.small > 5) != false }, { $0.small > 5 })
      check({ sample in (sample.small > 5).in([true]) }, { $0.small > 5 })
      check({ sample in (sample.small > 5).in([false]) }, { $0.small <= 5 })
      check({ sample in (sample.small > 5).in([false, true]) }, { _ in true })
      check({ sample in (sample.small > 5).in([]) }, { _ in false })
      check({ $0.flag.in([true]) }, { $0.flag })
      check({ $0.flag == ($0.small > 5) }, { $0.flag == ($0.small > 5) })
      check({ ($0.small > 5) == $0.flag }, { $0.flag == ($0.small > 5) })
      check({ $0.flag != ($0.small > 5) }, { $0.flag != ($0.small > 5) })
      check({ ($0.small > 2) == ($0.number == 1) }, { ($0.small > 2) == ($0.number == 1) })
      check({ ($0.small > 2) != ($0.number == 1) }, { ($0.small > 2) != ($0.number == 1) })
      check(
        { (($0.small > 2) == ($0.small < 6)) == ($0.flag || $0.number == 0) },
        { (($0.small > 2) == ($0.small < 6)) == ($0.flag || $0.number == 0) })
      check({ $0.flag == $0.flag && !($0.flag != $0.flag) }, { _ in true })
      check(
        { $0.flag && ($0.small > 2 || $0.number == 0) },
        {
          $0.flag && ($0.small > 2 || $0.number == 0)
        })
    }
  }

  @Test func objectsAreComparedThemselves() throws {
    try withSamples { realm, samples in
      let all = realm.objects(Sample.self)
      #expect(all.where { $0 == samples[3] }.map(\.id) == [3])
      #expect(all.where { $0 != samples[3] }.count == 7)
      #expect(all.where { $0.in([samples[5], samples[1], Sample()]) }.map(\.id) == [1, 5])
      #expect(all.where { $0 == Sample() }.isEmpty)
    }
  }

  /// Random trees of conditions, compared with closures of the same shape.
  @Test func treesOfAnyShapeMatchClosures() throws {
    var random = SeededRandom()
    let comment: Comment = "\(random)"
    func tree(_ depth: Int) -> ((Query<Sample>) -> Query<Bool>, (Sample) -> Bool) {
      let bound = Int8(random.below(8))
      if depth == 0 || random.chance(15) {
        return random.chance(80)
          ? ({ $0.small < bound }, { $0.small < bound }) : ({ $0.flag }, { $0.flag })
      }
      let (a, x) = tree(depth - 1)
      let (b, y) = tree(depth - 1)
      switch random.below(5) {
      case 0: return ({ a($0) && b($0) }, { x($0) && y($0) })
      case 1: return ({ a($0) || b($0) }, { x($0) || y($0) })
      case 2: return ({ a($0) == b($0) }, { x($0) == y($0) })
      case 3: return ({ a($0) != b($0) }, { x($0) != y($0) })
      default: return ({ !a($0) }, { !x($0) })
      }
    }
    try withSamples { realm, samples in
      for _ in 0..<200 {
        let (condition, closure) = tree(6)
        #expect(
          realm.objects(Sample.self).where(condition).map(\.id)
            == samples.filter(closure).map(\.id), comment)
      }
    }
  }

  /// A hundred thousand conditions, joined in ways that make trees as deep as they are large.
  @Test func manyConditionsDoNotRecurse() throws {
    let joins:
      [(@Sendable (Query<Bool>, Query<Bool>) -> Query<Bool>, @Sendable (Bool, Bool) -> Bool)]
    joins = [
      ({ $0 || $1 }, { $0 || $1 }), ({ $1 && $0 }, { $1 && $0 }),
      ({ !($0 || $1) }, { !($0 || $1) }),
      ({ !($1 && !$0) }, { !($1 && !$0) }),
    ]
    try withSamples { realm, samples in
      let all = realm.objects(Sample.self)
      let numbers = 1..<100_000
      for (join, plainJoin) in joins {
        onASmallStack {
          let found = all.where { sample in
            numbers.reduce(sample.id == 0) { join($0, sample.id == $1 % 8) }
          }
          let expected = samples.map(\.id).filter { id in
            numbers.reduce(id == 0) { plainJoin($0, id == $1 % 8) }
          }
          #expect(found.map(\.id) == expected)
        }
      }
    }
  }

  @Test func manyNegationsAndConditionComparisonsDoNotRecurse() throws {
    try withSamples { realm, _ in
      let all = realm.objects(Sample.self)
      onASmallStack {
        let denied = all.where { sample in (0..<100_001).reduce(sample.flag) { all, _ in !all } }
        #expect(denied.map(\.id) == [1, 3, 5, 7])
        let same = all.where { sample in
          let always = sample.id > -1
          return (0..<100_000).reduce(sample.flag) { $1 % 2 == 0 ? $0 == always : always == $0 }
        }
        #expect(same.map(\.id) == [0, 2, 4, 6])
        var narrowed = all
        for _ in 0..<10_000 { narrowed = narrowed.where { $0.id > 5 } }
        #expect(narrowed.map(\.id) == [6, 7])
      }
    }
  }
}

/// The result type of a member that queries do not declare: without this overload, the test would
/// not compile.
private struct Refused {}

extension Query {
  @_disfavoredOverload
  fileprivate subscript<V>(dynamicMember keyPath: KeyPath<T, V>) -> Refused { Refused() }
}

@Suite struct QueryMemberTests {
  private func isRefused(_ member: (Query<Sample>) -> Refused) -> Bool { true }
  @_disfavoredOverload
  private func isRefused<V>(_ member: (Query<Sample>) -> Query<V>) -> Bool { false }

  @Test func membersOfValuesDoNotCompile() {
    #expect(isRefused { $0.text.count } && isRefused { $0.parent.text.count })
    #expect(isRefused { $0.children.isFrozen } && isRefused { $0.byName.objects })
    #expect(isRefused { $0.level.hashValue } && isRefused { $0.date.hashValue })
    #expect(!isRefused { $0.text } && !isRefused { $0.parent.parent.text })
    #expect(!isRefused { $0.parent } && !isRefused { $0.level } && !isRefused { $0.date })
  }
}
