import CTestFaults
import Glibc
import Testing
import VarveTestSupport

@testable import VarveStorage

/// The states of a durable store around one commit, and processes that commit.
struct DurableStore {
  let directory = TemporaryDirectory()
  var path: String { directory.file() }

  static func options(_ path: String) -> EnvironmentOptions {
    var options = testOptions(path, mapSize: 64 << 20)
    options.durability = .full
    return options
  }

  func open() throws -> Environment { try Environment.open(Self.options(path)) }

  /// Starts a process that has committed `before`, and commits `after` when it continues.
  func process(
    _ kind: fault_kind, _ number: Int, _ action: fault_action, error: Int32 = 5,
    mutant: CommitMutant? = nil
  ) throws -> TestProcess {
    let process = TestProcess(
      [
        "commitDurably", path, "\(kind.rawValue)", "\(number)", "\(action.rawValue)", "\(error)",
      ],
      environment: ["VARVE_FAULT_DIRECTORY=\(directory.path)"]
        + (mutant.map { ["VARVE_COMMIT_MUTANT=\($0.rawValue)"] } ?? []))
    try #require(process.line() == "ready")
    return process
  }

  /// The bytes of the file before and after a commit, which are those of an open store.
  static func bytesAroundCommit(
    entryCount: Int = 1
  ) throws -> (before: [UInt8], after: [UInt8], id: UInt64) {
    let store = DurableStore()
    let environment = try store.open()
    for number in 0..<40 {
      try environment.write {
        for key in 0..<30 {
          try $0.put(.catalog, key: "key \(number * key % 97)", "value \(number)")
        }
      }
    }
    try environment.write { try $0.put(.catalog, key: "before", "1") }
    let before = try readBytes(store.path)
    let snapshot = try environment.write {
      for number in 0..<entryCount { try $0.put(.catalog, key: "after \(number)", "1") }
      try $0.put(.catalog, key: "after", "1")
    }
    let after = try readBytes(store.path)
    let id = snapshot.transactionID
    try environment.close()
    return (before, after, id)
  }

  /// Writes the file, without the files next to it.
  func write(_ bytes: [UInt8]) throws {
    for suffix in ["", "-lock", "-signal"] { unlink(path + suffix) }
    let file = try #require(fopen(path, "w"))
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }

  /// Opens the store, checks it, and closes it.
  ///
  /// - Returns: Whether it has the last commit.
  func hasCommit(_ comment: String, isReadOnly: Bool = false) throws -> Bool {
    var options = Self.options(path)
    options.isReadOnly = isReadOnly
    let environment = try Environment.open(options)
    let hasCommit: Bool
    do {
      let snapshot = try environment.snapshot()
      try StructureWalk.check(snapshot)
      try environment.checkPages(of: snapshot)
      #expect(snapshot.text(.catalog, key: "before") != nil, "\(comment)")
      hasCommit = snapshot.text(.catalog, key: "after") != nil
      if !isReadOnly {
        try environment.write { try $0.put(.catalog, key: "next", "1") }
        try environment.checkPages(of: try environment.snapshot())
      }
    }
    try environment.close()
    return hasCommit
  }
}

extension [UInt8] {
  /// The little-endian number at an offset.
  func number(_ offset: Int, _ byteCount: Int) -> UInt64 {
    self[offset..<offset + byteCount].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The offsets of the pages in the list of a commit.
  func listedPages(of id: UInt64) -> [Int] {
    let page = Int(id & 1) * 4096
    return (0..<Int(number(page + CommitSeal.Layout.count, 4))).map { index in
      let entry = page + CommitSeal.Layout.list + index * CommitSeal.Layout.entryBytes
      return Int(number(entry, 4)) * 4096
    }
  }
}
