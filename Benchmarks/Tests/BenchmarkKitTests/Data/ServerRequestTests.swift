import Testing

@testable import BenchmarkKit

@Suite struct ServerRequestTests {
  @Test func requestsHaveDocumentedMix() {
    let requests = (0..<16).flatMap {
      ServerMix.server.requests(ofTask: $0, of: 16, count: 2500, stored: 50_000)
    }
    let counts = requests.reduce(into: [:]) { $0[$1.kind, default: 0] += 1 }
    #expect((31_500...32_500).contains(counts[.read] ?? 0))
    #expect((3700...4300).contains(counts[.page] ?? 0))
    #expect((2900...3500).contains(counts[.patch] ?? 0))
    #expect((650...950).contains(counts[.create] ?? 0))
  }

  @Test(arguments: [50_000, 100, 17, 16, 3, 1])
  func eachIssueIsPatchedByOneTask(stored: Int) {
    var owners: [Int: Set<Int>] = [:]
    for task in 0..<16 {
      for request in ServerMix.patches.requests(ofTask: task, of: 16, count: 50, stored: stored) {
        switch request {
        case .patch(let id, _): owners[id, default: []].insert(task)
        case .read(let id): #expect(stored < 16 && (1...stored).contains(id))
        default: Testing.Issue.record("neither a patch nor a read")
        }
      }
    }
    #expect(owners.keys.allSatisfy { (1...stored).contains($0) })
    #expect(owners.values.allSatisfy { $0.count == 1 })
    #expect(owners.count >= min(stored, 400))
  }

  @Test func createdIssuesAndPatchesAreDistinct() {
    let created = (0..<16).flatMap {
      ServerMix.creates.requests(ofTask: $0, of: 16, count: 100, stored: 10)
    }
    let numbers = created.map { request in
      if case .create(let number) = request { number } else { -1 }
    }
    #expect(Set(numbers).count == 1600 && !numbers.contains(-1))
  }
}
