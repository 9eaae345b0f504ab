import Foundation
import Observation
import Testing
import Varve
import VarveTestSupport

/// `Observations` of stored values.
@Suite(.timeLimit(.minutes(1))) struct ObservationsTests {
  @Test func deliverCurrentValueAndEachNewValue() async throws {
    try await withTrackedRealm { realm, store in
      let ewe = try realm.ewe(1)
      var names: [String] = []
      for await name in Observations({ ewe.name }) {
        // A change may occur between the two notifications of a move; the value is then delivered
        // twice.
        if names.last != name { names.append(name) }
        if names.count == 4 { break }
        try store.writeElsewhere { try $0.ewe(1).name = "\(names.count)" }
      }
      #expect(names == ["Dolly", "1", "2", "3"])
    }
  }

  @Test func followChangesOfOtherProcesses() async throws {
    try await withTrackedRealm { realm, store in
      try await realm.write { realm.add(Tally(value: ["id": 1])) }
      let tallies = realm.objects(Tally.self).where { $0.value >= 0 }
      let process = TestProcess(["viewIncrement", store.path, "1", "200"])
      #expect(process.line() == "ready")
      var values: [Int] = []
      for await value in Observations({ tallies.first?.value ?? -1 }) {
        if values.isEmpty { process.go() }
        values.append(value)
        if value == 200 { break }
      }
      #expect(values.first == 0)
      #expect(values.last == 200)
      #expect(values == values.sorted())
      #expect(process.line() == "done")
      process.wait()
    }
  }

  @Test func lastValueArrivesDespiteManyWriters() async throws {
    try await withTrackedRealm { realm, store in
      let ewe = try realm.ewe(1)
      let writers = Task {
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<2 {
            group.addTask {
              for _ in 0..<100 {
                do {
                  try store.writeElsewhere { try $0.ewe(1).age += 1 }
                } catch {
                  Issue.record(error)
                }
                await Task.yield()
              }
            }
          }
        }
      }
      var last = 0
      for await age in Observations({ ewe.age }) {
        #expect(age >= last)
        last = age
        if age == 203 { break }
      }
      #expect(last == 203)
      await writers.value
    }
  }
}
