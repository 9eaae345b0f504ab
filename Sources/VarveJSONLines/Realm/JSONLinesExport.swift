import Foundation
import Varve
import VarveCore

/// One version of a store, on its way into a text.
///
/// Thread safety: a value.
struct JSONLinesExport: Sendable {
  // Held to the end: without it the version would be pinned, and nobody known to do so.
  private let frozen: ReadContext
  private let classes: [String]?
  private let isIndented: Bool

  init(_ context: ReadContext, _ place: CallSite, classes: [String]?, isIndented: Bool) {
    frozen = context.frozenContext(at: place)
    self.classes = classes
    self.isIndented = isIndented
  }

  /// Writes to a file that gets its name when it is complete.
  func write(to url: URL, _ progress: Realm.JSONLinesProgress?) throws -> Int {
    try OutputFile.write(try url.pathOfLocalFile()) { try write(to: $0, progress) }
  }

  /// Writes to an open file.
  func write(to file: FileHandle, _ progress: Realm.JSONLinesProgress?) throws -> Int {
    guard let snapshot = frozen.frozen else { return 0 }
    return try withExtendedLifetime(frozen) {
      var export = try StoreExport(snapshot, classNames: classes, isIndented: isIndented) {
        try file.write(contentsOf: $0)
      }
      return try export.run(progress)
    }
  }
}
