import Foundation
import Testing

@testable import BenchmarkKit

@Suite struct WorkerAnswerTests {
  @Test func samplesAreReturned() throws {
    guard case .samples(let samples) = try answer(Right.self, "W1a") else {
      Issue.record("no samples")
      return
    }
    #expect(samples.map(\.operations) == [10])
  }

  @Test func refusalIsReturnedWithReason() throws {
    guard case .notOffered(let reason) = try answer(Refusing.self, "W1a") else {
      Issue.record("no refusal")
      return
    }
    #expect(reason == "no persons")
  }

  @Test(arguments: ["W1a", "W2"])
  func wrongAnswerIsFailure(name: String) throws {
    guard case .failed(let reason) = try answer(Losing.self, name) else {
      Issue.record("no failure")
      return
    }
    #expect(reason.hasPrefix("dictionary \(name) returned "))
  }

  @Test func engineErrorIsFailure() throws {
    guard case .failed = try answer(Uninserted.self, "W1a") else {
      Issue.record("no failure")
      return
    }
  }

  @Test func unknownWorkloadIsFailure() throws {
    guard case .failed(let reason) = try answer(Right.self, "W1") else {
      Issue.record("no failure")
      return
    }
    #expect(reason == "there is no workload W1")
  }

  /// Encodes and decodes the answer, as for a pipe.
  private func answer(_ kind: (some EngineKind).Type, _ name: String) throws -> WorkerAnswer {
    let asked = try JSONEncoder().encode(WorkerRequest(workload: name, size: 10))
    var answer: WorkerAnswer?
    try withDirectory { (directory) throws in
      let request = try JSONDecoder().decode(WorkerRequest.self, from: asked)
      let shelf = shelf(kind, directory)
      let given = WorkerAnswer(to: request, from: shelf)
      try shelf.clear()
      answer = try JSONDecoder().decode(WorkerAnswer.self, from: JSONEncoder().encode(given))
    }
    return try #require(answer)
  }
}
