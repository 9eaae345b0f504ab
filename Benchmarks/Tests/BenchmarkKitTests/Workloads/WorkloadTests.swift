import Testing

@testable import BenchmarkKit

@Suite struct WorkloadTests {
  @Test func groupSelectsItsWorkloads() {
    #expect(names("W2") == ["W2"])
    #expect(names("W3a") == ["W3a"])
    #expect(names("W3c") == ["W3c"])
    #expect(names("W1") == ["W1a", "W1a-insert", "W1b", "W1c", "W1c-nosync", "W1d"])
    #expect(names("W4") == ["W4a", "W4b", "W4c", "W4d", "W4-small", "W4-small-change"])
    #expect(
      names("W5") == ["W5a", "W5b", "W5c", "W5a-small", "W5a-small-change", "W5-counter"])
    #expect(names("F4*") == ["F4", "F4-commits", "F4-grow", "F4-scan"])
    #expect(names("W9") == ["W9-commits", "W9-readers", "W9-latency", "W9-latency-20ms"])
    #expect(names("diff") == ["diff-one", "diff-none"])
    #expect(
      names("F1") == [
        "F1-write", "F1-random-read", "F1-random-read-buffer", "F1-random-read-lent",
        "F1-sequential-read", "F1-append",
      ])
    #expect(names("W3").first == "W3a")
    #expect(names("W3").count == 12)
    #expect(names("W3w").count == 25)
    #expect(names("W10") == ["W10a", "W10b", "W10c"])
    #expect(names("W6").count == 5)
    #expect(
      names("T1") == [
        "T1-add", "T1-add-16", "T1-search", "T1-search-frequent", "T1-search-rare",
      ])
    #expect(names("update") == ["update-all", "update-modified"])
    #expect(names("W2*") == ["W2s", "W2", "W2t"])
    #expect(names("*") == names("all"))
  }

  @Test(arguments: ["W", "W11", "", "F", "nothing", "W3a-indexed", "w2"])
  func unknownNameSelectsNothing(name: String) {
    #expect(names(name).isEmpty)
  }

  @Test func allSelectsAllWorkloads() {
    #expect(names("all") == Workload.all.map(\.name))
    #expect(Set(names("all")).count == Workload.all.count)
    #expect(Workload.standard.allSatisfy { names($0) == [$0] })
  }

  @Test func workloadNameSelectsOnlyThatWorkload() {
    #expect(Workload.all.allSatisfy { names($0.name) == [$0.name] })
  }

  @Test func sizesAreScaled() throws {
    #expect(try workload("W1a").sizes(scale: 1) == [1_000_000])
    #expect(try workload("W1a").sizes(scale: 0.5) == [500_000])
    #expect(try workload("W1a").sizes(scale: 1e-9) == [1])
    #expect(try workload("W6-all").sizes(scale: 1) == [10_000, 100_000, 1_000_000])
    #expect(try workload("W6-all").sizes(scale: 0.0005) == [100, 500])
    #expect(try workload("W6-all").sizes(scale: 1e-9) == [100])
  }

  @Test func storedCountIsScaledSeparately() throws {
    #expect(try workload("W4b").stored(size: 100, scale: 0.001) == 1000)
    #expect(try workload("W2").stored(size: 100, scale: 0.001) == 100)
  }

  private func names(_ name: String) -> [String] { Workload.selected(by: name).map(\.name) }
}
