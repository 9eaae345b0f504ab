import Foundation
import Testing
import VarveStorage
import VarveTestSupport

/// The ages of versions that are pinned elsewhere, and the pages that they retain.
@Suite struct CommitRecordsTests {
  private func commit(_ environment: Environment, _ count: Int, bytes: Int = 10) throws {
    for _ in 0..<count {
      try environment.write { transaction in
        try transaction.put(.catalog, key: [1], [UInt8](repeating: 1, count: bytes))
      }
    }
  }

  @Test func newestVersionHasNoSuccessor() throws {
    try withStore { environment, _ in
      try commit(environment, 1)
      let newest = try environment.snapshot()
      #expect(try environment.newestCommit().transactionID == newest.transactionID)
      #expect(try environment.newestCommit().fileBytes == newest.fileBytes)
      let own = environment.succession(of: newest.transactionID, newest: newest.commit)
      #expect(own?.age == .zero && own?.growth == 0)
    }
  }

  @Test func versionAgeIsAccurateToOneEighthOfDistance() throws {
    try withStore { environment, _ in
      // The time by which the next commit was done, for each transaction.
      var times: [UInt64: ContinuousClock.Instant] = [:]
      for _ in 0..<500 {
        let before = try environment.snapshot().transactionID
        try commit(environment, 1)
        times[before] = .now
        if before % 50 == 0 { usleep(5000) }
      }
      let newest = try environment.snapshot()
      for (id, time) in times {
        let succession = try #require(environment.succession(of: id, newest: newest.commit))
        // The age is not greater than the real one, and not less than that of a version an eighth
        // of the distance later.
        let age = ContinuousClock.now - time
        #expect(succession.age <= age + .milliseconds(20))
        let distance = newest.transactionID - id
        if let later = times[min(id + distance / 4 + 1, newest.transactionID - 1)] {
          #expect(succession.age + .milliseconds(20) >= ContinuousClock.now - later - .seconds(1))
        }
      }
    }
  }

  @Test func growthSinceVersionIsRecorded() throws {
    try withStore { environment, _ in
      try commit(environment, 1)
      let old = try environment.snapshot()
      try commit(environment, 20, bytes: 40_000)
      let newest = try environment.snapshot()
      let succession = try #require(
        environment.succession(of: old.transactionID, newest: newest.commit))
      let growth = Int64(newest.fileBytes) - Int64(old.fileBytes)
      #expect(succession.growth <= growth && succession.growth > growth - growth / 4)
    }
  }

  @Test func commitsOfOtherProcessAreRecorded() throws {
    try withStore { environment, directory in
      let old = try environment.snapshot()
      let process = TestProcess(["commit", directory.file(), "20"])
      _ = process.line()
      process.go()
      #expect(process.line() == "strangers 0")
      process.wait()
      let newest = try environment.snapshot()
      let succession = try #require(
        environment.succession(of: old.transactionID, newest: newest.commit))
      #expect(succession.age > .zero && succession.age < .seconds(60))
    }
  }

  @Test func pagesAreLiveFreeOrPinned() throws {
    try withStore { environment, _ in
      try commit(environment, 5, bytes: 40_000)
      let old = try environment.snapshot()
      try commit(environment, 5, bytes: 40_000)
      let middle = try environment.snapshot()
      try commit(environment, 5, bytes: 40_000)
      let space = try environment.space(pinned: [old.transactionID, middle.transactionID])
      #expect(space.pinnedCounts.count == 2)
      #expect(space.pinnedCounts[0] > space.pinnedCounts[1] + 40 && space.pinnedCounts[1] > 40)
      #expect(space.pinnedCount == space.pinnedCounts[0])
      #expect(space.liveCount + space.freeCount + space.pinnedCount == space.pageCount)
      #expect(space.liveCount < 60)
      let free = try environment.space(pinned: [])
      #expect(free.pinnedCounts.isEmpty && free.pinnedCount == 0)
      #expect(free.freeCount == space.freeCount + space.pinnedCount)
      withExtendedLifetime((old, middle)) {}
    }
  }

  @Test func damagedListOfFreePagesThrows() throws {
    let directory = TemporaryDirectory()
    let path = directory.file()
    let environment = try Environment.open(testOptions(path))
    try commit(environment, 10, bytes: 40_000)
    try environment.close()
    let file = try Data(contentsOf: URL(fileURLWithPath: path))
    let words = file.withUnsafeBytes { Array($0.bindMemory(to: UInt64.self)) }
    // A list consists of its length and the numbers of its pages, the highest first.
    let offsets = words.indices.filter { offset in
      let count = Int(clamping: words[offset])
      guard (3...1000).contains(count), offset + count < words.count else { return false }
      let pages = words[offset + 1...offset + count]
      return zip(pages, pages.dropFirst()).allSatisfy { $0 > $1 && $1 > 1 }
        && pages.allSatisfy { $0 < words.count / 512 }
    }
    #expect(!offsets.isEmpty)
    for length: UInt64 in [.max, 1 << 62, 100_000] {
      var damaged = words
      for offset in offsets { damaged[offset] = length }
      try damaged.withUnsafeBytes { Data($0) }.write(to: URL(fileURLWithPath: path))
      let environment = try Environment.open(testOptions(path))
      let code = errorCode { try environment.space(pinned: []) }
      #expect(code == .corrupted)
      try environment.close()
    }
  }
}
