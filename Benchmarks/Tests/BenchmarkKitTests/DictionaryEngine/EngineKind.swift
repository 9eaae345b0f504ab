import Foundation
import Synchronization

/// The flaw of a ``DictionaryEngine``.
protocol EngineKind: Sendable {
  static var flaw: Flaw? { get }
}

enum Flaw: String {
  /// Stores half of the data.
  case losesHalf
  /// Stores all data, but reads and reports it incorrectly.
  case answersWrongly
  case cannotOpen
  case cannotInsert
  case cannotClose
  case refusesToInsert
  /// Readers of pages see the state at the time of their creation.
  case standsStill
  /// Reports that an issue was patched, without patching it.
  case losesPatches
  /// Assigns ids with gaps to new issues.
  case skipsIDs
  /// Has an empty full-text index.
  case forgetsWords
  /// Keeps the changes of a write that is rolled back.
  case commitsWhatIsRolledBack
}

enum Right: EngineKind { static var flaw: Flaw? { nil } }
enum Losing: EngineKind { static var flaw: Flaw? { .losesHalf } }
enum Lying: EngineKind { static var flaw: Flaw? { .answersWrongly } }
enum Unopened: EngineKind { static var flaw: Flaw? { .cannotOpen } }
enum Uninserted: EngineKind { static var flaw: Flaw? { .cannotInsert } }
enum Unclosed: EngineKind { static var flaw: Flaw? { .cannotClose } }
enum Standing: EngineKind { static var flaw: Flaw? { .standsStill } }
enum Unpatched: EngineKind { static var flaw: Flaw? { .losesPatches } }
enum Skipping: EngineKind { static var flaw: Flaw? { .skipsIDs } }
enum Wordless: EngineKind { static var flaw: Flaw? { .forgetsWords } }
enum Committing: EngineKind { static var flaw: Flaw? { .commitsWhatIsRolledBack } }
enum Refusing: EngineKind { static var flaw: Flaw? { .refusesToInsert } }

/// The actions of the engines of a test, by the directory of their stores.
enum EngineEvents {
  private static let all = Mutex<[String: [String]]>([:])

  static func note(_ event: String, ofStoreIn directory: URL) {
    let path = directory.deletingLastPathComponent().standardizedFileURL.path
    all.withLock { $0[path, default: []].append(event) }
  }

  static func inDirectory(_ directory: URL) -> [String] {
    all.withLock { $0[directory.standardizedFileURL.path] ?? [] }
  }
}
