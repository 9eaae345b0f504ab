public import Foundation
public import Varve
import VarveCore

extension Realm {
  /// A closure that reports the progress of an export or an import.
  ///
  /// The closure receives the number of objects processed so far and, if known, the total number.
  /// An error thrown by the closure ends the work and is rethrown.
  public typealias JSONLinesProgress = (_ done: Int, _ total: Int?) throws -> Void

  /// Writes the objects of the store to a file in JSON Lines format: a header with the schema, then
  /// one line per object.
  ///
  /// The export contains the version that the realm reads, regardless of later commits; inside a
  /// write, it contains the version before that write. No model class is needed: all stored values
  /// are written exactly, bit for bit. Equal stores produce equal files, because objects are
  /// ordered by class name and object id. The format is described in `Docs/JSON-Lines.md`. To read
  /// the file, call `importJSONLines(from:)`.
  ///
  /// The text is written to a temporary file, which atomically replaces the file at `url` when it
  /// is complete. Only the owner of the file may read it.
  ///
  /// This method blocks the calling thread until the file is written. From asynchronous code, call
  /// the asynchronous overload: `try await realm.exportJSONLines(to: url)`.
  ///
  /// - Parameters:
  ///   - url: The destination. If it is not a regular file, such as a pipe, the text is written to
  ///     it directly.
  ///   - classes: The stored names of the classes to export, or nil for all classes. The header
  ///     always describes all classes.
  ///   - isIndented: Whether objects span several indented lines for readability. Indented text
  ///     cannot be imported.
  ///   - progress: A closure that is called once every 1,024 objects and at the end.
  ///   - sourceFile: The caller's file, recorded for storage reports. Don't pass this argument.
  ///   - sourceLine: The caller's line.
  /// - Returns: The number of lines with objects. Embedded objects are written inside their
  ///   parents.
  /// - Throws: `Realm.Error` with `.unknownClass` for a name that is not a class of the store,
  ///   `.invalidInput` for an embedded class, or a file of the store, `.corrupted`, or `.fileNotFound`,
  ///   `.filePermissionDenied`, `.outOfDiskSpace` or `.fileAccess` when the file cannot be created; a
  ///   Foundation error when it cannot be written; any error thrown by `progress`. The file at `url` is
  ///   unchanged then.
  /// - Complexity: O(objects), in memory that does not depend on their number.
  @available(
    *, noasync, message: "it blocks its thread; use 'try await' (in main.swift inside a function)"
  )
  @discardableResult
  public func exportJSONLines(
    to url: URL, classes: [String]? = nil, isIndented: Bool = false,
    progress: JSONLinesProgress? = nil, sourceFile: StaticString = #fileID,
    sourceLine: UInt = #line
  ) throws -> Int {
    let site = CallSite(sourceFile, sourceLine)
    let export = JSONLinesExport(context, site, classes: classes, isIndented: isIndented)
    return try Error.translating { try export.write(to: url, progress) }
  }

  /// Writes the objects of the store to an open file, a pipe or a socket in JSON Lines format.
  ///
  /// See the overload with a URL for the exported version and the format.
  ///
  /// - Parameters:
  ///   - file: The destination, which stays open.
  ///   - classes: The stored names of the classes to export, or nil for all classes.
  ///   - isIndented: Whether objects span several indented lines. Indented text cannot be imported.
  ///   - progress: A closure that is called once every 1,024 objects and at the end.
  ///   - sourceFile: The caller's file, recorded for storage reports. Don't pass this argument.
  ///   - sourceLine: The caller's line.
  /// - Returns: The number of lines with objects.
  /// - Throws: `Realm.Error`, a Foundation error when the file cannot be written, or any error
  ///   thrown by `progress`. Part of the text may have been written.
  @available(
    *, noasync, message: "it blocks its thread; use 'try await' (in main.swift inside a function)"
  )
  @discardableResult
  public func exportJSONLines(
    to file: FileHandle, classes: [String]? = nil, isIndented: Bool = false,
    progress: JSONLinesProgress? = nil, sourceFile: StaticString = #fileID,
    sourceLine: UInt = #line
  ) throws -> Int {
    let site = CallSite(sourceFile, sourceLine)
    let export = JSONLinesExport(context, site, classes: classes, isIndented: isIndented)
    return try Error.translating { try export.write(to: file, progress) }
  }

  /// Imports a file written by `exportJSONLines(to:)` into a store without objects.
  ///
  /// This method blocks the calling thread until the text is stored. From asynchronous code, call
  /// the asynchronous overload: `try await realm.importJSONLines(from: url)`.
  ///
  /// The import is one write transaction, which is rolled back if any part of it fails. The classes
  /// of the header are added to the schema of the store, with primary keys and indexes. Objects
  /// without a primary key keep their ids if the store has never contained an object. Every line is
  /// checked. A link may refer to an object on a later line.
  ///
  /// - Parameters:
  ///   - url: The source.
  ///   - progress: A closure that is called once every 1,024 objects and at the end.
  /// - Returns: The number of lines with objects.
  /// - Throws: `Realm.Error` with the line in its `details`, and the class, property and value
  ///   where known. The codes are `.invalidInput` for text that is not JSON, not in this format, or
  ///   incomplete; `.typeMismatch`, `.missingValue`, `.unknownClass`, `.unknownProperty`,
  ///   `.duplicatePrimaryKey` and `.invalidSchema`; `.schemaMismatch` if the store has another
  ///   schema version or defines the classes differently; `.fileExists` if the store contains
  ///   objects; `.fileNotFound`, `.filePermissionDenied` or `.fileAccess` if the file cannot be
  ///   opened; and the codes of a synchronous `write`. A Foundation error when the file cannot be
  ///   read, and any error thrown by `progress`.
  /// - Complexity: O(objects), in memory for the longest line and for the changed pages of a
  ///   transaction (up to 512 MiB).
  @available(
    *, noasync, message: "it blocks its thread; use 'try await' (in main.swift inside a function)"
  )
  @discardableResult
  public func importJSONLines(from url: URL, progress: JSONLinesProgress? = nil) throws -> Int {
    let file = try Error.translating { try InputFile.open(try url.pathOfLocalFile()) }
    return try importJSONLines(from: file, progress: progress)
  }

  /// Imports JSON Lines from an open file, a pipe or a socket into a store without objects.
  ///
  /// See the overload with a URL for the transaction and the checks.
  ///
  /// - Parameters:
  ///   - file: The source, which is read to its end.
  ///   - progress: A closure that is called once every 1,024 objects and at the end.
  /// - Returns: The number of lines with objects.
  /// - Throws: `Realm.Error`, a Foundation error when the file cannot be read, or any error thrown
  ///   by `progress`. The transaction is rolled back then.
  @available(
    *, noasync, message: "it blocks its thread; use 'try await' (in main.swift inside a function)"
  )
  @discardableResult
  public func importJSONLines(
    from file: FileHandle, progress: JSONLinesProgress? = nil
  ) throws -> Int {
    try checkWritable()
    return try Error.translating {
      try store.write(view: context.view) { transaction in
        var reader = StoreImport(into: transaction) { try file.read(upToCount: 1 << 18) }
        return try reader.run(progress)
      }
    }
  }
}
