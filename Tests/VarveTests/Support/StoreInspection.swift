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

/// An entry of a table. The key of a row is its object id in host byte order.
struct StoredEntry: Equatable {
  var key: [UInt8]
  var value: [UInt8]
}

extension StoredEntry {
  /// An entry of a dictionary or a set, with its checksum.
  init(key: [UInt8], element: [UInt8]) {
    self.init(key: key, value: element + littleEndian(plainCRC32C(key + element), 4))
  }
}

extension TemporaryRealm {
  /// Changes the entries of the file below the library.
  func edit(_ body: (WriteTransaction) throws -> Void) throws {
    let transaction = try configuration.store().environment.beginWrite(timeout: .seconds(5))
    do {
      try body(transaction)
    } catch {
      transaction.abort()
      throw error
    }
    _ = try transaction.commit()
  }
}

extension TableReader {
  /// The entries of a table, in order.
  func entries(_ table: Table) -> [StoredEntry] {
    var entries: [StoredEntry] = []
    var cursor = cursor(table)
    while cursor.next() {
      entries.append(StoredEntry(key: Array(cursor.key), value: Array(cursor.value)))
    }
    return entries
  }
}

extension WriteTransaction {
  func put(_ entry: StoredEntry, _ table: Table) throws {
    try entry.value.withUnsafeBytes { value in
      try entry.key.withUnsafeBytes { key in
        if table.hasIntegerKeys {
          try put(table, id: key.loadUnaligned(as: UInt64.self), value)
        } else {
          try put(table, key: key, value)
        }
      }
    }
  }

  func remove(_ entry: StoredEntry, _ table: Table) throws {
    try entry.key.withUnsafeBytes { key in
      if table.hasIntegerKeys {
        _ = try delete(table, id: key.loadUnaligned(as: UInt64.self))
      } else {
        _ = try delete(table, key: key)
      }
    }
  }
}
