public import Foundation
public import Varve
import VarveCore

extension Realm {
  /// How far an export or an import has come: the objects that are done, and how many there are, if that is known.
  ///
  /// What it throws ends the work, and is thrown on.
  public typealias JSONLinesProgress = (_ done: Int, _ total: Int?) throws -> Void

  /// Writes the objects of the store to a file, as JSON Lines: a header with the schema, then a line for each object.
  ///
  /// It is the version that the realm reads that is written, whatever is committed meanwhile; inside a write, the
  /// version before it. No model is needed: what the store knows is written, to the bit. Equal stores give equal files,
  /// since objects come in the order of their classes' names, and of their ids. The text is described in
  /// `Docs/JSON-Lines.md`; `importJSONLines(from:)` reads it.
  ///
  /// The file gets its name when it is complete, and replaces one that had it. Only its owner may read it.
  ///
  /// It is for synchronous code: it keeps its thread until the file is written. Asynchronous code gets the asynchronous
  /// form: `try await realm.exportJSONLines(to: url)`.
  ///
  /// - Parameters:
  ///   - url: the file. What is no ordinary file, such as a pipe, is written to.
  ///   - classes: the stored names of the classes whose objects are written; nil: all of them. The header always tells
  ///     of all classes.
  ///   - isIndented: whether objects are spread over several lines, for people to read. Such a text cannot be imported.
  ///   - progress: is told from time to time.
  ///   - sourceFile: where pins are told of, they are named by it; leave it out.
  ///   - sourceLine: the line in the file.
  /// - Returns: the number of lines with objects; embedded objects stand within those that they belong to.
  /// - Throws: `Realm.Error`: `.unknownClass` for a name that is no class of the store, `.invalidInput` for an embedded one's,
  ///   `.corrupted`, `.fileAccess`; what `progress` throws. The file is not there then, or as it was.
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
    let place = CallSite(sourceFile, sourceLine)
    let export = JSONLinesExport(context, place, classes: classes, isIndented: isIndented)
    return try Error.translating { try export.write(to: url, progress) }
  }

  /// Writes the objects of the store to an open file, a pipe or a socket; as the form with a URL.
  ///
  /// - Parameters:
  ///   - file: where to write; it stays open.
  ///   - classes: the stored names of the classes whose objects are written; nil: all of them.
  ///   - isIndented: whether objects are spread over several lines.
  ///   - progress: is told from time to time.
  ///   - sourceFile: where pins are told of, they are named by it; leave it out.
  ///   - sourceLine: the line in the file.
  /// - Returns: the number of lines with objects.
  /// - Throws: `Realm.Error`; what Foundation throws when the file cannot be written; what `progress` throws. A part
  ///   may be written then.
  @available(
    *, noasync, message: "it blocks its thread; use 'try await' (in main.swift inside a function)"
  )
  @discardableResult
  public func exportJSONLines(
    to file: FileHandle, classes: [String]? = nil, isIndented: Bool = false,
    progress: JSONLinesProgress? = nil, sourceFile: StaticString = #fileID,
    sourceLine: UInt = #line
  ) throws -> Int {
    let place = CallSite(sourceFile, sourceLine)
    let export = JSONLinesExport(context, place, classes: classes, isIndented: isIndented)
    return try Error.translating { try export.write(to: file, progress) }
  }

  /// Reads a file into the store, which must not have objects. The file is one that `exportJSONLines(to:)` wrote.
  ///
  /// It is for synchronous code: it keeps its thread until the text is stored. Asynchronous code gets the asynchronous
  /// form: `try await realm.importJSONLines(from: url)`.
  ///
  /// It is one write: whatever fails, nothing of the text stays. The store is made to know the classes of the header, with
  /// primary keys and indexes. Objects without a primary key keep their ids where the store never had an object. Every
  /// line is checked, and links may lead to objects that come later.
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - progress: is told from time to time.
  /// - Returns: the number of lines with objects.
  /// - Throws: `Realm.Error` with the line in its `details`, and class, property and value: `.invalidInput` for what is
  ///   not JSON, or not of the format, and for a text that ends too early, `.typeMismatch`, `.missingValue`,
  ///   `.unknownProperty`, `.duplicatePrimaryKey`, `.invalidSchema`; `.schemaMismatch` for a store that knows the classes
  ///   otherwise, `.fileExists` for one that has objects, `.fileNotFound` or `.fileAccess` for a text that cannot be
  ///   read; what `progress` throws; and as a synchronous `write`.
  /// - Complexity: O(objects), in memory for the longest line, and what the engine keeps of a transaction (up to 512 MiB
  ///   of pages).
  @available(
    *, noasync, message: "it blocks its thread; use 'try await' (in main.swift inside a function)"
  )
  @discardableResult
  public func importJSONLines(from url: URL, progress: JSONLinesProgress? = nil) throws -> Int {
    let file = try Error.translating { try InputFile.open(try url.pathOfLocalFile()) }
    return try importJSONLines(from: file, progress: progress)
  }

  /// Reads JSON Lines from an open file, a pipe or a socket; as the form with a URL.
  ///
  /// - Parameters:
  ///   - file: where to read from, to its end.
  ///   - progress: is told from time to time.
  /// - Returns: the number of lines with objects.
  /// - Throws: as the other; what Foundation throws when the file cannot be read.
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
