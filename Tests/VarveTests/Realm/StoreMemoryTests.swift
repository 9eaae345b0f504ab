import CTestFaults
import Foundation
import Testing
import VarveTestSupport

/// The heap memory that open stores cost. Sanitizers have other allocators.
@Suite(.enabled(if: fault_is_supported() != 0)) struct StoreMemoryTests {
  /// What stays of any number of stores: small blocks that the allocator keeps for each thread, each
  /// of which occupies a page.
  private let mostLeft = 2 << 20

  /// - Returns: The bytes of an open store, and those that stay after closing all.
  private func measure(_ count: Int, commits: Int) throws -> (open: Int, left: Int) {
    let store = try TemporaryRealm()
    defer { store.remove() }
    let process = TestProcess(["openMany", store.directory.path, "\(count)", "\(commits)"])
    let numbers = (process.line() ?? "").split(separator: " ").compactMap { Int($0) }
    #expect(process.wait() == 0)
    try #require(numbers.count == 2)
    print("StoreMemoryTests: \(commits) commits: \(numbers)")
    return (numbers[0], numbers[1])
  }

  @Test func idleStoreCostsLittle() throws {
    let bytes = try measure(200, commits: 0)
    #expect(bytes.open <= 100 << 10)
    #expect(bytes.left <= mostLeft)
  }

  @Test func writingStoreCostsLittle() throws {
    let bytes = try measure(200, commits: 5)
    #expect(bytes.open <= 400 << 10)
    #expect(bytes.left <= mostLeft)
  }
}
