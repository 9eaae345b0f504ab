import Testing

@testable import BenchmarkKit

@Suite struct ObservedModelTests {
  @Test(arguments: [ObservedCollection.all, .filtered, .sorted])
  func personsAgreeWithPlainModel(collection: ObservedCollection) {
    let count = 5000
    var scores: [Int: Double] = [:]
    for id in 0..<count {
      let person = Person(id: id)
      if collection != .filtered || person.age >= 50 { scores[id] = person.score }
    }
    var model = ObservedModel(collection, count: count)
    for _ in 0..<200 {
      guard case .persons(let raised, let deleted, let inserted) = model.change() else {
        Issue.record("not a change of persons")
        return
      }
      #expect(Set(raised + [deleted]).count == 11)
      #expect((raised + [deleted]).allSatisfy { scores[$0] != nil })
      #expect(scores[inserted.id] == nil)
      #expect(collection.contains(inserted))
      for id in raised { scores[id, default: 0] += ObservedCollection.raise }
      scores[deleted] = nil
      scores[inserted.id] = inserted.score
      #expect(
        model.expectedState == .state(count: scores.count, sum: scores.values.reduce(0, +)))
      #expect(model.expectedChanges == .changes(old: 11, new: 11))
    }
  }

  @Test func listsAgreeWithPlainModel() {
    var list = Array(0..<1000)
    var model = ObservedModel(.list, count: list.count)
    for _ in 0..<200 {
      guard case .list(let element, let index) = model.change() else {
        Issue.record("not a change of a list")
        return
      }
      #expect(index == list.count / 2)
      list.insert(element, at: index)
      #expect(
        model.expectedState == .state(count: list.count, sum: Double(list.reduce(0, +))))
      #expect(model.expectedChanges == .changes(old: 0, new: 1))
    }
  }

  /// There are so few keys that some are set again.
  @Test func dictionariesAgreeWithPlainModel() {
    var map: [String: Int] = [:]
    for index in 0..<50 { map[Inputs.key(index)] = index }
    var model = ObservedModel(.map, count: 50)
    for _ in 0..<200 {
      guard case .map(let key, let value) = model.change() else {
        Issue.record("not a change of a dictionary")
        return
      }
      #expect(map[key] != nil && map[key] != value)
      map[key] = value
      #expect(
        model.expectedState == .state(count: map.count, sum: Double(map.values.reduce(0, +))))
      #expect(model.expectedChanges == .changes(old: 1, new: 1))
    }
  }
}
