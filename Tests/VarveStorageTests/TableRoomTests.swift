import Testing
import VarveStorage

/// The capacity for tables is set when a file is opened.
@Suite struct TableRoomTests {
  @Test func tablesFullErrorSuggestsReopening() throws {
    let directory = TemporaryDirectory()
    var options = testOptions(directory.file())
    options.maximumTables = 16
    let environment = try Environment.open(options)
    let error = refusal(of: 40, in: environment)
    #expect(error?.code == .tablesFull)
    #expect(error?.description.contains("open it again") == true)
    // The tables within the capacity exist, and the store can still be used.
    try environment.write { transaction in
      #expect(try transaction.openTable(.objects(ofClass: 1), create: true))
      try transaction.put(.objects(ofClass: 1), id: 1, [1])
    }
    #expect(try environment.snapshot().bytes(.objects(ofClass: 1), id: 1) == [1])
    try environment.close()

    options.maximumTables = 128
    let again = try Environment.open(options)
    #expect(refusal(of: 40, in: again) == nil)
    #expect(try again.snapshot().bytes(.objects(ofClass: 1), id: 1) == [1])
    try again.close()
  }

  /// Opens tables one after the other, each in a separate write.
  private func refusal(of count: UInt32, in environment: Environment) -> StorageError? {
    do {
      for id in 1...count {
        try environment.write { _ = try $0.openTable(.objects(ofClass: id), create: true) }
      }
    } catch {
      return error as? StorageError
    }
    return nil
  }
}
