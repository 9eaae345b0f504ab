import Foundation
import Testing
import Varve

/// Aggregates of unmanaged lists are computed in memory; queries require a realm, and trap with a
/// message.
@Suite struct UnmanagedQueryTests {
  @Test func unmanagedListAggregatesInMemory() throws {
    let parent = Sample()
    parent.id = 40
    let samples = (0..<4).map { id in
      let sample = Sample(value: ["id": id, "small": id])
      sample.number = id == 0 ? nil : id * 10
      sample.double = id == 1 ? .nan : Double(id)
      sample.date = id < 2 ? nil : Date(timeIntervalSince1970: Double(id))
      sample.parent = id == 3 ? nil : parent
      return sample
    }
    let owner = Sample()
    owner.id = 100
    owner.children.append(objectsIn: samples + [samples[3]])
    func check(_ list: List<Sample>) {
      #expect(list.sum(of: \.small) == 9 && list.sum(of: \.number) == 90)
      #expect(list.min(of: \.small) == 0 && list.max(of: \.small) == 3)
      #expect(list.min(of: \.number) == 10 && list.max(of: \.number) == 30)
      #expect(list.average(of: \.small) == 1.8 && list.average(of: \.number) == 22.5)
      #expect(list.min(of: \.double) == 0 && list.max(of: \.double) == 3)
      #expect(list.sum(of: \.double).isNaN)
      #expect(list.min(of: \.date) == samples[2].date && list.max(of: \.date) == samples[3].date)
      #expect(list.sum(of: \.parent?.id) == 120 && list.max(of: \.parent?.id) == 40)
    }
    check(owner.children)
    try withTemporaryRealm { realm, _ in
      try realm.write {
        realm.add(owner)
        check(owner.children)
      }
      check(owner.children)
      let copy = List<Sample>()
      copy.append(objectsIn: owner.children)
      check(copy)
    }
    let empty = List<Sample>()
    #expect(empty.sum(of: \.small) == 0 && empty.average(of: \.number) == nil)
    #expect(empty.min(of: \.date) == nil && empty.max(of: \.double) == nil)
  }

  private static let misuses: [String: @Sendable (Sample) -> Void] = [
    "list where": { _ = $0.children.where { $0.id == 1 } },
    "list sorted": { _ = $0.children.sorted(by: \.id) },
    "list sorted by name": { _ = $0.children.sorted(byKeyPath: "id") },
    "map where": { _ = $0.byName.where { $0.id == 1 } },
    "map sorted": { _ = $0.byName.sorted(by: \.id) },
    "links where": { _ = $0.descendants.where { $0.id == 1 } },
    "links sorted": { _ = $0.descendants.sorted(by: \.id) },
  ]

  @Test(arguments: misuses.keys.sorted())
  func queryOfUnmanagedCollectionTrapsWithMessage(_ what: String) async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [what = what as String] in Self.misuses[what]?(Sample()) }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Sample") && text.contains("cannot be queried"), "\(text)")
    #expect(
      text.contains("Add its object to a realm") || text.contains("Add the object"), "\(text)")
  }

  @Test func aggregateOfComputedPropertyOfUnmanagedListTraps() async throws {
    await #expect(processExitsWith: .failure) {
      let animal = Animal()
      animal.friends.append(Animal())
      _ = animal.friends.sum(of: \.kneeCount)
    }
  }
}
