import Foundation
import Synchronization

/// What a ``DictionaryEngine`` does wrong.
protocol EngineKind: Sendable {
  static var flaw: Flaw? { get }
}

enum Flaw: String {
  /// Stores half of what it is given.
  case losesHalf
  /// Stores all, and reads and tells it wrong.
  case answersWrongly
  case cannotOpen
  case cannotInsert
  case cannotClose
  case refusesToInsert
  /// Readers of pages see what there was when they were made.
  case standsStill
  /// Says that it has patched an issue, and has not.
  case losesPatches
  /// Gives new issues ids with gaps.
  case skipsIDs
  /// Has nothing in its full-text index.
  case forgetsWords
  /// Keeps what a write changed that is rolled back.
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

/// What the engines of a test did, by the directory in which their stores are.
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
