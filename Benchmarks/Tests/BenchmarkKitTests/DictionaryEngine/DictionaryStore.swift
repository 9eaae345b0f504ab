import BenchmarkKit
import Foundation
import Synchronization

/// The contents of a ``DictionaryEngine``.
final class DictionaryStore: Sendable {
  struct Contents {
    var persons: [Int: Person] = [:]
    var namedPersons: [String: Person] = [:]
    /// The exported text of ``TextEngine``, and the imported objects.
    var text: [Int: Person] = [:]
    var imported: [Int: Person] = [:]

    var list: [Int] = []
    var map: [String: Int] = [:]
    var smallLists: [Int: [String]] = [:]
    var smallMaps: [Int: [String: Int]] = [:]

    var blobs: [Int: Data] = [:]
    var messages: [Int: Data] = [:]
    var pages: [String: Data] = [:]
    var log: [String] = []
    var documents: [Int: Document] = [:]
    var members = MemberModel(count: 0)
    var issues: [Int: Issue] = [:]
    var notes: [Int: String] = [:]
  }

  private let contents = Mutex(Contents())

  func read<R: Sendable>(_ body: (Contents) throws -> R) rethrows -> R {
    try contents.withLock { try body($0) }
  }

  func write<R: Sendable>(_ body: (inout Contents) throws -> R) rethrows -> R {
    try contents.withLock { try body(&$0) }
  }

  private static let stores = Mutex<[String: DictionaryStore]>([:])

  static func of(_ directory: URL) -> DictionaryStore {
    stores.withLock { stores in
      let path = directory.standardizedFileURL.path
      if let store = stores[path] { return store }
      let store = DictionaryStore()
      stores[path] = store
      return store
    }
  }

  static func forget(_ directory: URL) {
    stores.withLock { _ = $0.removeValue(forKey: directory.standardizedFileURL.path) }
  }
}
