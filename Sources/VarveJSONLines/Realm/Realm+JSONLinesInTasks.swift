public import Foundation
public import Varve
import VarveCore

/// Asynchronous exports and imports.
extension Realm {
  /// Writes the objects of the store to a file in JSON Lines format, while the task is suspended.
  ///
  /// The export contains the version that the realm reads when this method is called, and runs on a
  /// thread of its own. The synchronous overload documents the format and the exported version.
  ///
  /// - Parameters:
  ///   - url: The destination. If it is not a regular file, such as a pipe, the text is written to
  ///     it directly.
  ///   - classes: The stored names of the classes to export, or nil for all classes.
  ///   - isIndented: Whether objects span several indented lines for readability. Indented text
  ///     cannot be imported.
  ///   - progress: A closure that is called once every 1,024 objects and at the end, on the
  ///     exporting thread.
  ///   - sourceFile: The caller's file, recorded for storage reports. Don't pass this argument.
  ///   - sourceLine: The caller's line.
  /// - Returns: The number of lines with objects.
  /// - Throws: The errors of the synchronous overload; `CancellationError` when the task is
  ///   cancelled. The file at `url` is unchanged then.
  /// - Complexity: O(objects), in memory that does not depend on their number.
  @discardableResult
  public func exportJSONLines(
    to url: URL, classes: [String]? = nil, isIndented: Bool = false,
    progress: (@Sendable (_ done: Int, _ total: Int?) throws -> Void)? = nil,
    sourceFile: StaticString = #fileID, sourceLine: UInt = #line
  ) async throws -> Int {
    let site = CallSite(sourceFile, sourceLine)
    let export = JSONLinesExport(context, site, classes: classes, isIndented: isIndented)
    return try await Self.following(progress) { progress in
      try await onOwnThread("varve.export") {
        try Error.translating { try export.write(to: url, progress) }
      }
    }
  }

  /// Writes the objects of the store to an open file, a pipe or a socket in JSON Lines format,
  /// while the task is suspended.
  ///
  /// - Parameters:
  ///   - file: The destination, which stays open.
  ///   - classes: The stored names of the classes to export, or nil for all classes.
  ///   - isIndented: Whether objects span several indented lines. Indented text cannot be imported.
  ///   - progress: A closure that is called once every 1,024 objects and at the end, on the
  ///     exporting thread.
  ///   - sourceFile: The caller's file, recorded for storage reports. Don't pass this argument.
  ///   - sourceLine: The caller's line.
  /// - Returns: The number of lines with objects.
  /// - Throws: The errors of the synchronous overload; `CancellationError` when the task is
  ///   cancelled. Part of the text may have been written.
  @discardableResult
  public func exportJSONLines(
    to file: FileHandle, classes: [String]? = nil, isIndented: Bool = false,
    progress: (@Sendable (_ done: Int, _ total: Int?) throws -> Void)? = nil,
    sourceFile: StaticString = #fileID, sourceLine: UInt = #line
  ) async throws -> Int {
    let site = CallSite(sourceFile, sourceLine)
    let export = JSONLinesExport(context, site, classes: classes, isIndented: isIndented)
    return try await Self.following(progress) { progress in
      try await onOwnThread("varve.export") {
        try Error.translating { try export.write(to: file, progress) }
      }
    }
  }

  /// Imports a file in JSON Lines format into a store without objects, while the task is suspended.
  ///
  /// The import is one write transaction on the writer thread of the store, which blocks other
  /// writes until it ends. The synchronous overload documents the checks.
  ///
  /// - Parameters:
  ///   - url: The source.
  ///   - progress: A closure that is called once every 1,024 objects and at the end, on the writer
  ///     thread.
  /// - Returns: The number of lines with objects.
  /// - Throws: The errors of the synchronous overload; `CancellationError` when the task is
  ///   cancelled. The transaction is rolled back then.
  /// - Complexity: O(objects), in memory as the synchronous overload.
  @discardableResult
  public func importJSONLines(
    from url: URL, progress: (@Sendable (_ done: Int, _ total: Int?) throws -> Void)? = nil
  ) async throws -> Int {
    // Opening a pipe blocks until its other end is opened.
    let file = try await onOwnThread("varve.import") {
      try Error.translating { try InputFile.open(try url.pathOfLocalFile()) }
    }
    return try await importJSONLines(from: file, progress: progress)
  }

  /// Imports JSON Lines from an open file, a pipe or a socket into a store without objects, while
  /// the task is suspended.
  ///
  /// - Parameters:
  ///   - file: The source, which is read to its end.
  ///   - progress: A closure that is called once every 1,024 objects and at the end, on the writer
  ///     thread.
  /// - Returns: The number of lines with objects.
  /// - Throws: The errors of the overload with a URL; a Foundation error when the file cannot be
  ///   read. The transaction is rolled back then.
  @discardableResult
  public func importJSONLines(
    from file: FileHandle, progress: (@Sendable (_ done: Int, _ total: Int?) throws -> Void)? = nil
  ) async throws -> Int {
    try checkWritable()
    let (store, view) = (store, context.view)
    return try await Self.following(progress) { progress in
      do {
        return try await store.asyncWrite(view: view, grouping: false) { transaction in
          var reader = StoreImport(into: transaction) { try file.read(upToCount: 1 << 18) }
          return try reader.run(progress)
        }
      } catch {
        throw Error.translated(error)
      }
    }
  }

  /// Runs work that reports progress. After the task is cancelled, the next report throws.
  private static func following(
    _ progress: (@Sendable (Int, Int?) throws -> Void)?,
    _ work: (@escaping @Sendable (Int, Int?) throws -> Void) async throws -> Int
  ) async throws -> Int {
    try Task.checkCancellation()
    return try await work { done, total in
      try Task.checkCancellation()
      try progress?(done, total)
    }
  }
}
