import Foundation
import VarveEncoding
import VarveStorage
import VarveTestSupport

@testable import VarveCore

/// A store with lists, in its own directory, which is removed with it.
final class ListTestStore {
  let directory: URL
  let environment: Environment
  static let listID: UInt64 = 7

  init(mapSize: Int = 1 << 28) throws {
    directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("varve-lists-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    var options = EnvironmentOptions(path: directory.appendingPathComponent("test.varve").path)
    options.durability = .none
    options.mapSize = mapSize
    environment = try Environment.open(options)
  }

  deinit {
    try? environment.close()
    try? FileManager.default.removeItem(at: directory)
  }

  func beginWrite() throws -> WriteTransaction {
    try environment.beginWrite(timeout: .seconds(30), isCancelled: nil)
  }

  /// Runs a transaction with an editor, flushes it, commits and checks the tree.
  @discardableResult
  func write(
    _ format: ListElementFormat, listID: UInt64 = ListTestStore.listID,
    _ body: (ListEditor) throws -> Void
  ) throws -> Snapshot {
    let transaction = try beginWrite()
    let count: Int
    let snapshot: Snapshot
    do {
      let editor = ListEditor(listID: listID, transaction: transaction, format: format)
      try body(editor)
      try editor.flush()
      count = editor.count
      snapshot = try transaction.commit()
    } catch {
      transaction.abort()
      throw error
    }
    let report = ListTreeCheck.run(listID: listID, format: format, in: snapshot)
    guard report.problems.isEmpty, report.elementCount == count else {
      throw TreeIsDamaged(problems: report.problems)
    }
    return snapshot
  }

  /// Replaces the bytes of a node with the result of a closure, in a separate transaction.
  @discardableResult
  func damage(nodeID: UInt64, _ change: (inout [UInt8]) -> Void) throws -> Snapshot {
    let transaction = try beginWrite()
    let key = ListNodeKey(listID: Self.listID, nodeID: nodeID)
    let found = key.withBytes { transaction.find(.lists, key: $0) }
    var bytes = found.map { [UInt8]($0) } ?? []
    change(&bytes)
    try key.withBytes { key in
      try bytes.withUnsafeBytes { try transaction.put(.lists, key: key, $0) }
    }
    return try transaction.commit()
  }

  struct TreeIsDamaged: Error {
    var problems: [ListTreeCheck.Problem]
  }
}

/// The format and random elements of one kind of list. Nil is null.
struct ListTestKind: Sendable, CustomStringConvertible {
  let description: String
  let format: ListElementFormat
  /// Makes the bytes of an element.
  let element: @Sendable (inout SeededRandom) -> [UInt8]?

  static let int = ListTestKind(
    description: "Int", format: ListElementFormat(type: .int64, isNullable: false)
  ) { generator in
    withUnsafeBytes(of: UInt64.random(in: 0..<50, using: &generator)) { [UInt8]($0) }
  }

  static let nullableInt = ListTestKind(
    description: "Int?", format: ListElementFormat(type: .int64, isNullable: true)
  ) { generator in
    if UInt8.random(in: 0..<4, using: &generator) == 0 { return nil }
    return withUnsafeBytes(of: UInt64.random(in: 0..<50, using: &generator)) { [UInt8]($0) }
  }

  static let link = ListTestKind(
    description: "link", format: ListElementFormat(type: .link, isNullable: false)
  ) { generator in
    withUnsafeBytes(of: generator.next() >> 32) { [UInt8]($0) }
  }

  static let uuid = ListTestKind(
    description: "UUID", format: ListElementFormat(type: .uuid, isNullable: false)
  ) { generator in
    withUnsafeBytes(of: (generator.next(), generator.next())) { [UInt8]($0) }
  }

  static let string = ListTestKind(description: "String", format: .variable) { generator in
    let longest = Bool.random(using: &generator) ? 24 : ElementCodec.maximumInlineBytes
    let count = Int.random(in: 0...longest, using: &generator)
    return [PropertyType.string.rawValue]
      + (0..<count).map { _ in UInt8.random(in: 97...122, using: &generator) }
  }

  static let all = [int, nullableInt, link, uuid, string]
}

extension ListEditor {
  func append(_ element: [UInt8]?) throws { try insert(element, at: count) }

  func insert(_ element: [UInt8]?, at index: Int) throws {
    guard let element else { return try insert(bytes: nil, at: index) }
    try element.withUnsafeBytes { try insert(bytes: $0, at: index) }
  }

  func replace(at index: Int, _ element: [UInt8]?) throws {
    guard let element else { return _ = try replace(at: index, bytes: nil) }
    _ = try element.withUnsafeBytes { try replace(at: index, bytes: $0) }
  }

  func insert(contentsOf elements: [[UInt8]], at index: Int) throws {
    var ends: [Int] = []
    var end = 0
    for element in elements {
      end += element.count
      ends.append(end)
    }
    try elements.flatMap { $0 }.withUnsafeBytes {
      try insert(contentsOf: $0, ends: ends, at: index)
    }
  }

  var elements: [[UInt8]?] { (0..<count).map { bytes(at: $0).map { [UInt8]($0) } } }
}

extension ListDirectory {
  /// All elements, by index.
  var elements: [[UInt8]?] { (0..<count).map { bytes(at: $0).map { [UInt8]($0) } } }

  /// All elements, in the order of a tree walk.
  var walkedElements: [[UInt8]?] {
    var all: [[UInt8]?] = []
    var walk = makeIterator()
    while walk.advance() { all.append(walk.bytes.map { [UInt8]($0) }) }
    return all
  }
}
