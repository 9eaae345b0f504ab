import Foundation
import Testing
import Varve

/// The result type of operations that queries do not declare: without these overloads, the tests
/// would not compile.
private struct Refused {}

@_disfavoredOverload private func == <A, B>(left: Query<A>, right: B) -> Refused { Refused() }
@_disfavoredOverload private func < <A, B>(left: Query<A>, right: B) -> Refused { Refused() }
@_disfavoredOverload private func + <A, B>(left: Query<A>, right: B) -> Refused { Refused() }
@_disfavoredOverload private func && <A, B>(left: Query<A>, right: Query<B>) -> Refused {
  Refused()
}

extension Query {
  @_disfavoredOverload fileprivate func contains<V>(_ value: V) -> Refused { Refused() }
  @_disfavoredOverload fileprivate func starts<V>(with value: V) -> Refused { Refused() }
  @_disfavoredOverload fileprivate func like<V>(_ value: V) -> Refused { Refused() }
  @_disfavoredOverload fileprivate func `in`<V>(_ value: V) -> Refused { Refused() }
  @_disfavoredOverload fileprivate subscript<V>(place: V) -> Refused { Refused() }
  @_disfavoredOverload
  fileprivate subscript<V>(
    dynamicMember keyPath: KeyPath<AnyMember, V>
  ) -> Refused { Refused() }
}

/// Names that some queries declare as members of their own.
private struct AnyMember {
  let min = 0
  let sum = 0
  let count = 0
  let keys = 0
  let first = 0
  let rawValue = 0
}

@Suite struct RefusedQueryTests {
  private func isRefused(_ query: (Query<AllTypes>) -> Refused) -> Bool { true }
  @_disfavoredOverload
  private func isRefused<V>(_ query: (Query<AllTypes>) -> Query<V>) -> Bool { false }

  @Test func valuesOfDifferentTypesDoNotCompare() {
    #expect(isRefused { $0.int == "a" } && isRefused { $0.string == 5 })
    #expect(isRefused { $0.int == $0.string } && isRefused { $0.bool == $0.int })
    #expect(isRefused { $0.color == $0.level } && isRefused { $0.color == "red" })
    #expect(isRefused { $0.uuid == $0.objectId } && isRefused { $0.date == $0.double })
    #expect(isRefused { $0.link == $0.int } && isRefused { $0.int < 2.5 })
    #expect(isRefused { $0.int.in(["a"]) } && isRefused { $0.string.contains(5) })
    #expect(!isRefused { $0.int == 5 } && !isRefused { $0.string.contains("a") })
  }

  @Test func unorderedTypesHaveNoOrderOperators() {
    #expect(isRefused { $0.bool < true } && isRefused { $0.uuid < UUID() })
    #expect(!isRefused { $0.color < Color.red } && isRefused { $0.data < Data() })
    #expect(isRefused { $0.link < $0.link } && isRefused { $0.string < $0.int })
    #expect(!isRefused { $0.date < Date() } && !isRefused { $0.objectId < $0.objectId })
  }

  @Test func onlyStringsAndDataHaveSubstringOperators() {
    #expect(isRefused { $0.int.starts(with: "a") } && isRefused { $0.date.like("a") })
    #expect(isRefused { $0.data.like("a") } && isRefused { $0.data.starts(with: "a") })
    #expect(isRefused { $0.color.starts(with: "a") } && isRefused { $0.ints.like("a") })
    #expect(!isRefused { $0.data.starts(with: Data()) } && !isRefused { $0.string.like("a") })
  }

  @Test func onlyNumbersSupportArithmetic() {
    #expect(isRefused { $0.string + "a" } && isRefused { $0.bool + 1 })
    #expect(isRefused { $0.date + 1 } && isRefused { $0.level + 1 })
    #expect(isRefused { $0.int + $0.string } && isRefused { $0.decimal + $0.int })
    #expect(!isRefused { $0.int + 1 } && !isRefused { $0.level.rawValue + 1 })
  }

  @Test func onlyConditionsAreJoined() {
    #expect(isRefused { $0.int && $0.bool } && isRefused { $0.bool && $0.optionalBool })
    #expect(!isRefused { $0.bool && $0.bool })
  }

  @Test func onlyCollectionsHaveElements() {
    #expect(isRefused { $0.string.count } && isRefused { $0.int[0] })
    #expect(isRefused { $0.strings.sum } && isRefused { $0.uuids.min })
    #expect(isRefused { $0.ints.keys } && isRefused { $0.ints["a"] })
    #expect(isRefused { $0.intMap[0] } && isRefused { $0.intMap.first })
    #expect(isRefused { $0.ints.contains("a") } && isRefused { $0.intMap.contains("a") })
    #expect(isRefused { $0.int.rawValue } && isRefused { $0.link.count })
    #expect(!isRefused { $0.ints.sum } && !isRefused { $0.intMap["a"] })
  }
}
