import Testing
import Varve
import VarveCore
import VarveStorage

extension TemporaryRealm {
  /// The result of a full check of the newest version.
  func report() throws -> StoreCheck.Report {
    try StoreCheck.run(try configuration.store().newestSnapshot())
  }

  /// Records an issue when the check of the newest version reports errors.
  func check(_ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let report = try report()
    if !report.isSound {
      Issue.record("\(comment.map { "\($0): " } ?? "")\(report)", sourceLocation: sourceLocation)
    }
  }

  /// The number of entries of a table in the newest version.
  func count(_ table: Table) throws -> Int {
    try configuration.store().newestSnapshot().count(table)
  }
}

extension WriteTransaction {
  /// Deletes the nodes of all lists.
  func deleteLists() throws {
    var keys: [[UInt8]] = []
    do {
      var cursor = cursor(.lists)
      while cursor.next() { keys.append(Array(cursor.key)) }
    }
    for key in keys { try key.withUnsafeBytes { _ = try delete(.lists, key: $0) } }
  }
}
