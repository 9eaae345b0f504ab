import CTestFaults
import Glibc
import Testing
import VarveTestSupport

@testable import VarveStorage

/// Commits that end before they are durable.
@Suite struct UnfinishedCommitTests {
  @Test(
    .enabled(if: fault_is_supported() != 0),
    arguments: [
      (fault_write, fault_kill_before), (fault_write, fault_kill_after),
      (fault_sync, fault_kill_before), (fault_sync, fault_kill_after),
    ])
  func nextWriterFinishesCommitOfKilledProcess(_ kind: fault_kind, _ action: fault_action) throws {
    var number = 1
    while true {
      let store = DurableStore()
      let environment = try store.open()
      let process = try store.process(kind, number, action)
      let id = try environment.snapshot().transactionID
      process.go()
      if process.line() == "ok" { break }
      let comment: Comment = "\(kind) \(number) \(action)"
      // It was not acknowledged: nobody sees it before it is durable.
      let hasMeta = try DataFile(path: store.path).newestTransactionID == id + 1
      #expect(try environment.snapshot().text(.catalog, key: "after") == nil, comment)
      #expect(try environment.snapshot().transactionID == id, comment)
      let copy = store.directory.file("copy.varve")
      let next = try environment.write { try $0.put(.catalog, key: "next", "1") }
      #expect((next.text(.catalog, key: "after") != nil) == hasMeta, comment)
      try environment.copy(to: copy)
      try environment.checkPages(of: next)
      try environment.close()
      #expect(try store.hasCommit("\(comment)") == hasMeta, comment)
      number += 1
    }
    print("\(kind) \(action): \(number - 1) calls")
    #expect(number > (kind == fault_write ? 4 : 1))
  }

  @Test(
    .enabled(if: fault_is_supported() != 0), arguments: [fault_kill_before, fault_kill_after])
  func openingResolvesCommitOfKilledProcess(_ action: fault_action) throws {
    var outcomes: [Bool] = []
    while true {
      let store = DurableStore()
      let process = try store.process(fault_write, outcomes.count + 1, action)
      process.go()
      if process.line() == "ok" { break }
      outcomes.append(try store.hasCommit("\(action) \(outcomes.count)"))
    }
    // Complete with the seal, which is the last write.
    #expect(outcomes.dropLast().allSatisfy { !$0 })
    #expect(outcomes.last == (action == fault_kill_after))
    #expect(outcomes.count > 3)
  }

  @Test func copyIsMadeOfDurableVersion() throws {
    guard fault_is_supported() != 0 else { return }
    let store = DurableStore()
    let environment = try store.open()
    let process = try store.process(fault_sync, 1, fault_kill_before)
    process.go()
    #expect(process.line() == nil)
    #expect(try environment.snapshot().text(.catalog, key: "after") == nil)
    // LMDB copies the version that the killed process has not made durable. The copy is therefore
    // complete only after the commit is.
    let copy = store.directory.file("copy.varve")
    try environment.copy(to: copy)
    #expect(try environment.snapshot().text(.catalog, key: "after") != nil)
    try environment.close()
    let copied = try Environment.open(DurableStore.options(copy))
    #expect(try copied.snapshot().text(.catalog, key: "after") != nil)
    try copied.close()
  }

  /// A process that writes without durability must not publish a commit that the next opening would
  /// take back.
  @Test(.enabled(if: fault_is_supported() != 0)) func writerWithoutDurabilityFinishesCommit() throws
  {
    let store = DurableStore()
    // After the meta page, before the seal.
    let process = try store.process(fault_write, 4, fault_kill_before)
    let reader = TestProcess(["pinReadOnly", store.path])
    #expect(reader.line()?.hasPrefix("pid ") == true)
    process.go()
    #expect(process.line() == nil)
    let environment = try Environment.open(testOptions(store.path, mapSize: 64 << 20))
    #expect(try environment.snapshot().text(.catalog, key: "after") == nil)
    try environment.beginWrite(timeout: .seconds(1)).abort()
    #expect(try environment.snapshot().text(.catalog, key: "after") != nil)
    try environment.close()
    reader.go()
    #expect(reader.line() == "ok")
    #expect(try store.hasCommit("without durability"))
  }

  /// Another program may have opened the file after the power failure: its commit cannot be
  /// completed, and not be taken back under that program.
  @Test func unfinishedCommitThatIsReadIsRefused() throws {
    var (_, image, id) = try DurableStore.bytesAroundCommit()
    image[Int(id & 1) * 4096 + CommitSeal.Layout.sum] ^= 1
    let store = DurableStore()
    try store.open().close()
    try patch(store.path, at: 0, image)
    let process = TestProcess(["shareLockFile", store.path])
    #expect(process.line() == "shared")
    expectError(.alreadyOpen) { try store.open() }
    #expect(try readBytes(store.path) == image)
    process.kill()
    #expect(try !store.hasCommit("after the other program"))
  }

  /// While the next version is not durable, LMDB's reader slot names it.
  @Test(.enabled(if: fault_is_supported() != 0)) func snapshotKnowsItsSlot() throws {
    let store = DurableStore()
    let environment = try store.open()
    let process = try store.process(fault_sync, 1, fault_kill_before)
    process.go()
    #expect(process.line() == nil)
    let snapshot = try environment.separateSnapshot()
    #expect(snapshot.slotID == snapshot.transactionID + 1)
    #expect(try environment.readers().contains { $0.transactionID == snapshot.slotID })
    try environment.close()
  }

  /// A process that announces a commit too early would let others see one that a power failure
  /// undoes.
  @Test func commitIsAnnouncedWhenItIsDurable() throws {
    guard fault_is_supported() != 0 else { return }
    for mutant in [nil, CommitMutant.durableBeforeSync] {
      let store = DurableStore()
      let environment = try store.open()
      let process = try store.process(fault_sync, 1, fault_kill_before, mutant: mutant)
      process.go()
      #expect(process.line() == nil)
      let isSeen = try environment.snapshot().text(.catalog, key: "after") != nil
      #expect(isSeen == (mutant != nil))
      try environment.close()
    }
  }

  @Test(arguments: [1, 400])
  func missingPageTakesCommitBack(_ entryCount: Int) throws {
    let (before, after, id) = try DurableStore.bytesAroundCommit(entryCount: entryCount)
    let pages = after.listedPages(of: id)
    #expect(pages.count >= 3)
    for (index, start) in pages.enumerated() {
      // A sector of the page is that of the version before, or the file is shorter.
      var image = after
      for offset in start + 3584..<start + 4096 {
        image[offset] = offset < before.count ? before[offset] : 0
      }
      if image[start..<start + 4096] == after[start..<start + 4096] { image[start + 9] ^= 1 }
      let store = DurableStore()
      try store.write(image)
      #expect(try !store.hasCommit("page \(index)"))
      if start >= before.count {
        try store.write(Array(after[..<start]))
        #expect(try !store.hasCommit("without page \(index)"))
      }
    }
  }

  @Test func readersTakeUnfinishedCommitBack() throws {
    var (before, image, id) = try DurableStore.bytesAroundCommit()
    image[Int(id & 1) * 4096 + CommitSeal.Layout.sum] ^= 1
    let store = DurableStore()
    try store.write(image)
    let root = try RootRecord.read(path: store.path)
    expectError(.unfinishedCommit) {
      try UnfinishedCommit.resolve(path: store.path, failedID: 0, mayWrite: false)
    }
    #expect(try readBytes(store.path) == image)
    #expect(try !store.hasCommit("read-only", isReadOnly: true))
    #expect(try DataFile(path: store.path).newestTransactionID == id - 1)
    try store.write(before)
    #expect(try RootRecord.read(path: store.path) == root)
  }

  @Test func copyHasNoMarks() throws {
    for isComplete in [true, false] {
      var (_, image, id) = try DurableStore.bytesAroundCommit()
      if !isComplete { image[Int(id & 1) * 4096 + CommitSeal.Layout.sum] ^= 1 }
      let store = DurableStore()
      try store.write(image)
      try UnfinishedCommit.remove(fromCopy: store.path, isCompacted: false)
      try Self.expectNoMarks(store.path)
      #expect(try store.hasCommit("copy") == isComplete)
    }
  }

  private static func expectNoMarks(_ path: String) throws {
    let bytes = try readBytes(path)
    for slot in 0..<2 {
      #expect(bytes.number(slot * 4096 + CommitSeal.Layout.firstMark, 8) == 0)
      #expect(bytes.number(slot * 4096 + CommitSeal.Layout.mark, 8) == 0)
    }
  }

  /// LMDB copies the bytes of a mark of page 0 into both meta pages.
  @Test(arguments: [false, true])
  func copyByLMDBHasNoMarks(_ isCompacting: Bool) throws {
    let store = DurableStore()
    let environment = try store.open()
    for number in 0..<4 {
      try environment.write { try $0.put(.catalog, key: "before", "\(number)") }
    }
    let path = store.directory.file("copy.varve")
    do {
      let target = try OpenFile(path: path, flags: O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
      let copy = EngineCopy(engine: environment.engine, isCompacting: isCompacting, observer: nil)
      #expect(try copy.write(to: target, path: path) == 0)
    }
    try Self.expectNoMarks(path)
    try environment.close()
  }

  @Test func seedHasNoUnfinishedCommit() throws {
    for isComplete in [true, false] {
      var (_, image, id) = try DurableStore.bytesAroundCommit()
      let page = Int(id & 1) * 4096
      if !isComplete { image[page + CommitSeal.Layout.sum] ^= 1 }
      let store = DurableStore()
      try store.write(image)
      var options = DurableStore.options(store.directory.file("new.varve"))
      options.seedPath = store.path
      let environment = try Environment.open(options)
      let snapshot = try environment.snapshot()
      #expect((snapshot.text(.catalog, key: "after") != nil) == isComplete)
      try environment.close()
    }
  }

  /// A mark that a killed process has left must not belong to the commit of another program.
  @Test func staleMarksAreRemoved() throws {
    let (before, after, id) = try DurableStore.bytesAroundCommit()
    let page = Int(id & 1) * 4096
    for layout in [CommitSeal.Layout.firstMark, CommitSeal.Layout.mark] {
      var image = before
      image.replaceSubrange(
        page + layout..<page + layout + 8, with: after[page + layout..<page + layout + 8])
      let store = DurableStore()
      try store.write(image)
      let isTakenBack = try UnfinishedCommit.resolve(
        path: store.path, failedID: 0, mayWrite: true)
      #expect(!isTakenBack)
      let bytes = try readBytes(store.path)
      #expect(bytes.number(page + CommitSeal.Layout.firstMark, 8) != id)
      #expect(bytes.number(page + CommitSeal.Layout.mark, 8) != id)
      #expect(try !store.hasCommit("stale mark"))
    }
  }

  @Test func commitOfOtherProgramIsTrusted() throws {
    let store = DurableStore()
    let environment = try store.open()
    try environment.write { try $0.put(.catalog, key: "before", "1") }
    try environment.close()
    // It commits as LMDB does, without marks.
    _ = try StoreCreation.renewIncarnation(path: store.path)
    let root = try RootRecord.read(path: store.path)
    let again = try store.open()
    #expect(try again.snapshot().version.counter >= root.version.counter)
    try again.write { try $0.put(.catalog, key: "after", "1") }
    try again.close()
    #expect(try store.hasCommit("other program"))
  }

  /// After the store was closed, changed bytes are damage: the last commit is not taken back.
  @Test func closedStoreHasNoListOfPages() throws {
    let store = DurableStore()
    let environment = try store.open()
    try environment.write { try $0.put(.catalog, key: "before", "1") }
    let id = try environment.write { try $0.put(.catalog, key: "after", "1") }.transactionID
    let page = Int(id & 1) * 4096
    let open = try readBytes(store.path)
    #expect(open.number(page + CommitSeal.Layout.count, 4) >= 3)
    try environment.close()
    var closed = try readBytes(store.path)
    #expect(closed.number(page + CommitSeal.Layout.count, 4) == 0)
    // A byte of the last commit changes that nothing reads.
    let leaf = Int(open.number(page + CommitSeal.Layout.list, 4)) * 4096
    closed[leaf + Int(open.number(leaf + 12, 2))] ^= 1
    try store.write(closed)
    #expect(try store.hasCommit("closed"))
  }

  @Test func largeCommitIsSealedWithoutList() throws {
    let store = DurableStore()
    let environment = try store.open()
    let snapshot = try environment.write { transaction in
      for number in 0..<40_000 {
        try transaction.put(.catalog, key: "before \(number)", String(repeating: "x", count: 60))
      }
      try transaction.put(.catalog, key: "before", "1")
      try transaction.put(.catalog, key: "after", "1")
    }
    let bytes = try readBytes(store.path)
    let page = Int(snapshot.transactionID & 1) * 4096
    #expect(bytes.number(page + CommitSeal.Layout.mark, 8) == snapshot.transactionID)
    #expect(bytes.number(page + CommitSeal.Layout.count, 4) == 0)
    let image = DurableStore()
    try image.write(bytes)
    #expect(try image.hasCommit("large"))
    try environment.close()
  }
}
