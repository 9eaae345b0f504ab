import Testing
import VarveStorage

@Suite struct ClosingTests {
  @Test(arguments: bothReaders)
  func afterCloseNothingBegins(_ reader: ReaderKind) throws {
    let directory = TemporaryDirectory()
    let environment = try Environment.open(testOptions(directory.file(), reader: reader))
    try environment.close()
    #expect(environment.isTornDown)
    expectError(.closed) { try environment.snapshot() }
    expectError(.closed) { try environment.beginWrite(timeout: .zero) }
    expectError(.closed) { try environment.close() }
    expectError(.closed) { try environment.readers() }
    expectError(.closed) { try environment.writer.enqueue {} }
  }

  @Test(arguments: bothReaders)
  func snapshotsOutliveTheClose(_ reader: ReaderKind) throws {
    let directory = TemporaryDirectory()
    let environment = try Environment.open(testOptions(directory.file(), reader: reader))
    do {
      let snapshot = try environment.write { try $0.put(.catalog, key: "a", "b") }
      try environment.close()
      #expect(!environment.isTornDown)
      #expect(snapshot.text(.catalog, key: "a") == "b")
      expectError(.closed) { try environment.snapshot() }
    }
    #expect(environment.isTornDown)
  }

  @Test func openingBeforeTheLastSnapshotEndsBringsTheEnvironmentBack() throws {
    let directory = TemporaryDirectory()
    let environment = try Environment.open(testOptions(directory.file()))
    let snapshot = try environment.write { try $0.put(.catalog, key: "a", "b") }
    try environment.close()
    let again = try Environment.open(testOptions(directory.file()))
    #expect(again === environment)
    #expect(try again.snapshot().version == snapshot.version)
    try again.close()
  }

  @Test func anOpenWriteKeepsTheStoreOpen() throws {
    try withStore { environment, _ in
      let transaction = try environment.beginWrite(timeout: .seconds(1))
      expectError(.busy) { try environment.close() }
      try transaction.put(.catalog, key: "a", "b")
      _ = try transaction.commit()
      _ = try environment.snapshot()
    }
  }

  @Test func anEnvironmentThatIsDroppedLetsTheFileGo() throws {
    let directory = TemporaryDirectory()
    for _ in 0..<3 {
      _ = try Environment.open(testOptions(directory.file()))
    }
    let environment = try Environment.open(testOptions(directory.file()))
    #expect(try environment.snapshot().version.counter == 0)
    try environment.close()
  }

  @Test func manyThreadsOpenAndCloseOneFile() throws {
    let directory = TemporaryDirectory()
    let path = directory.file()
    let failures = Counter()
    onThreads(4) { number in
      for round in 0..<20 {
        do {
          let environment = try Environment.open(testOptions(path))
          try environment.write { try $0.put(.catalog, key: "\(number) \(round)", "x") }
          try environment.close()
        } catch let error as StorageError where error.code == .busy {
          // Another thread is writing: its opening has not ended either, so this one need not be last.
        } catch {
          Issue.record(error)
          failures.add()
        }
      }
    }
    #expect(failures.value == 0)
    let environment = try Environment.open(testOptions(path))
    #expect(try environment.snapshot().count(.catalog) == 80)
    try environment.close()
  }
}
