import Testing
import VarveCore
import VarveStorage

@Suite struct StoreOpeningTests {
  @Test func unusableFileIsClosed() throws {
    try withTemporaryOptions { try openTwice($0) }
  }

  private func openTwice(_ options: StoreOptions) throws {
    var plain = EnvironmentOptions(path: options.path)
    plain.durability = .none
    plain.mapSize = 1 << 30
    try breakSchema(of: plain)
    for _ in 0..<2 {
      let error = #expect(throws: Failure.self) { try StoreRegistry.shared.open(options) }
      #expect(error?.code == .corrupted && error?.path == options.path)
    }
    let again = try Environment.open(plain)
    try again.close()
    #expect(again.isTornDown)
  }

  /// Makes a file with an unreadable schema.
  private func breakSchema(of options: EnvironmentOptions) throws {
    let environment = try Environment.open(options)
    let transaction = try environment.beginWrite(timeout: .seconds(10))
    transaction.root.schemaGeneration += 1
    try Array("no record".utf8).withUnsafeBytes { try transaction.put(.catalog, key: $0, $0) }
    _ = try transaction.commit()
    try environment.close()
  }
}
