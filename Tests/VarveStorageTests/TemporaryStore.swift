import CVarve
import Glibc
import Synchronization
import Testing
import VarveLocks
import VarveStorage

/// A directory for the stores of one test, removed at its end.
final class TemporaryDirectory {
  let path: String

  init(in parent: String = "/tmp") {
    var template = Array("\(parent)/varve-test-XXXXXX".utf8CString)
    path =
      mkdtemp(&template) == nil
      ? parent
      : template.withUnsafeBufferPointer { buffer in
        buffer.baseAddress.map { String(cString: $0) } ?? parent
      }
  }

  deinit {
    guard path.contains("varve-test-") else { return }
    for name in names {
      let file = path + "/" + name
      if unlink(file) != 0 { rmdir(file) }
    }
    rmdir(path)
  }

  /// The names of the files in the directory.
  var names: Set<String> {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: Set<String> = []
    while let entry = readdir(directory) {
      names.insert(
        withUnsafePointer(to: &entry.pointee.d_name) {
          String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
        })
    }
    return names.subtracting([".", ".."])
  }

  func file(_ name: String = "store.varve") -> String { path + "/" + name }
}

/// Options for tests: no operation waits for a disk.
func testOptions(_ path: String, mapSize: Int? = 1 << 30) -> EnvironmentOptions {
  var options = EnvironmentOptions(path: path)
  options.durability = .none
  options.mapSize = mapSize
  options.maximumReaders = 128
  return options
}

/// The number of running calls of `checkingPaths`, and the limit before the first of them.
private struct PathCheckers {
  var count = 0
  var limit: UInt64 = 0
}

private let pathCheckers = Lock(PathCheckers())

/// Treats all files as too large for a check of all pages before the first write, in the whole
/// process.
func checkingPaths<R>(_ body: () throws -> R) rethrows -> R {
  pathCheckers.withLock { checkers in
    if checkers.count == 0 {
      checkers.limit = Environment.largestWalkedFile.exchange(0, ordering: .relaxed)
    }
    checkers.count += 1
  }
  defer {
    pathCheckers.withLock { checkers in
      checkers.count -= 1
      if checkers.count == 0 {
        Environment.largestWalkedFile.store(checkers.limit, ordering: .relaxed)
      }
    }
  }
  return try body()
}

/// Opens a store, checks it completely afterwards, and closes it.
func withStore(
  mapSize: Int? = 1 << 30, _ body: (Environment, TemporaryDirectory) throws -> Void
) throws {
  let directory = TemporaryDirectory()
  let environment = try Environment.open(
    testOptions(directory.file(), mapSize: mapSize))
  do {
    try body(environment, directory)
    try StructureWalk.check(try environment.snapshot())
    #expect(environment.damageError == nil)
    if !environment.isTornDown { try environment.close() }
  } catch {
    if !environment.isTornDown { try? environment.close() }
    throw error
  }
}

/// Makes a closed store with 1500 dogs in a tree of two levels, some of them in overflow pages, and
/// a free list.
///
/// - Parameters:
///   - rewriteCount: The number of transactions that replace dogs, each of which frees pages.
///   - fill: Adds other entries in the first transaction.
func makeStoreWithFreeList(
  _ path: String, rewriteCount: Int, _ fill: (WriteTransaction) throws -> Void
) throws {
  let environment = try Environment.open(testOptions(path))
  try environment.write { transaction in
    _ = try transaction.openTable(dogs, create: true)
    for id in UInt64(0)..<1500 {
      try transaction.put(dogs, id: id, [UInt8](repeating: 1, count: id % 100 == 0 ? 6000 : 60))
    }
    try fill(transaction)
  }
  for _ in 0..<rewriteCount {
    try environment.write { transaction in
      for id in UInt64(0)..<700 { try transaction.put(dogs, id: id * 2, [1, 2, 3]) }
    }
  }
  try environment.close()
}

extension Environment {
  /// Runs one write transaction.
  @discardableResult
  func write(_ body: (WriteTransaction) throws -> Void) throws -> Snapshot {
    let transaction = try beginWrite(timeout: .seconds(30))
    do {
      try body(transaction)
    } catch {
      transaction.abort()
      throw error
    }
    return try transaction.commit()
  }
}

extension WriteTransaction {
  func put(_ table: Table, id: UInt64, _ bytes: [UInt8], append: Bool = false) throws {
    try bytes.withUnsafeBytes { try put(table, id: id, $0, append: append) }
  }

  func put(_ table: Table, key: [UInt8], _ bytes: [UInt8]) throws {
    try key.withUnsafeBytes { key in
      try bytes.withUnsafeBytes { try put(table, key: key, $0) }
    }
  }

  func put(_ table: Table, key: String, _ value: String) throws {
    try put(table, key: Array(key.utf8), Array(value.utf8))
  }

  /// Deletes the entries of a table, one after the other.
  func deleteAll(_ table: Table) throws {
    var keys: [[UInt8]] = []
    do {
      var cursor = cursor(table)
      while cursor.next() { keys.append(Array(cursor.key)) }
    }
    for key in keys {
      _ = try key.withUnsafeBytes { key in
        try table.hasIntegerKeys
          ? delete(table, id: key.loadUnaligned(as: UInt64.self)) : delete(table, key: key)
      }
    }
  }
}

/// Calls a closure with the range of the keys between two bounds. Nil is no bound.
func withKeys<R>(
  from lower: [UInt8]?, below upper: [UInt8]?, _ body: (KeyRange) throws -> R
) rethrows -> R {
  try (lower ?? []).withUnsafeBytes { lower in
    guard let upper else { return try body(.keys(from: lower, below: nil)) }
    return try upper.withUnsafeBytes { try body(.keys(from: lower, below: $0)) }
  }
}

extension TableReader {
  func bytes(_ table: Table, id: UInt64) -> [UInt8]? {
    find(table, id: id).map { Array($0) }
  }

  func bytes(_ table: Table, key: [UInt8]) -> [UInt8]? {
    key.withUnsafeBytes { find(table, key: $0).map { Array($0) } }
  }

  func text(_ table: Table, key: String) -> String? {
    bytes(table, key: Array(key.utf8)).map { String(decoding: $0, as: UTF8.self) }
  }
}

let dogs = Table.objects(ofClass: 1)
let cats = Table.objects(ofClass: 2)

/// `#expect` for expressions with a cursor: the macro copies its operands, and a cursor cannot be
/// copied.
func check(_ isTrue: Bool, _ comment: String = "", at location: SourceLocation = #_sourceLocation) {
  #expect(isTrue, "\(comment)", sourceLocation: location)
}
