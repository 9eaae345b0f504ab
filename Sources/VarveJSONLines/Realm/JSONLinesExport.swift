import Foundation
import Varve
import VarveCore
import VarveStorage

/// An export of one version of a store.
struct JSONLinesExport: Sendable {
  // Retained until the export ends, so that storage reports attribute the pin to the caller.
  private let frozen: ReadContext
  private let classes: [String]?
  private let isIndented: Bool

  init(_ context: ReadContext, _ site: CallSite, classes: [String]?, isIndented: Bool) {
    frozen = context.frozenContext(at: site)
    self.classes = classes
    self.isIndented = isIndented
  }

  /// Writes to a temporary file and renames it when the export is complete.
  ///
  /// - Throws: `.invalidInput` for a path of the store's own files.
  func write(to url: URL, _ progress: Realm.JSONLinesProgress?) throws -> Int {
    let path = try url.pathOfLocalFile()
    // The environment of a process that may not write the lock file is a copy elsewhere.
    for store in [frozen.store.options.path, frozen.frozen?.environment.path].compactMap(\.self) {
      guard !Self.isFile(path, ofStore: store) else {
        throw Failure(.invalidInput, "The output is a file of the store.", path: path)
      }
    }
    return try OutputFile.write(path) { try write(to: $0, progress) }
  }

  private static func isFile(_ path: String, ofStore store: String) -> Bool {
    let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let data = URL(fileURLWithPath: store).resolvingSymlinksInPath().path
    let identity = FileIdentity(path: target)
    return ["", "-lock", "-signal"].contains { suffix in
      target == data + suffix || identity != nil && identity == FileIdentity(path: data + suffix)
    }
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
