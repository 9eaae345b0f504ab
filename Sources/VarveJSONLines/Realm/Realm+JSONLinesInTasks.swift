public import Foundation
import Synchronization
public import Varve
import VarveCore

/// Exports and imports that a task waits for.
extension Realm {
  /// Writes the objects of the store to a file, as JSON Lines, while the task is suspended.
  ///
  /// The synchronous form tells what is written. A thread of its own writes; the version is the one that the realm reads
  /// when this is called.
  ///
  /// - Parameters:
  ///   - url: the file. What is no ordinary file, such as a pipe, is written to.
  ///   - classes: the stored names of the classes whose objects are written; nil: all of them.
  ///   - isIndented: whether objects are spread over several lines, for people to read.
  ///   - progress: called from time to time, on the thread that writes.
  ///   - sourceFile: where pins are told of, they are named by it; leave it out.
  ///   - sourceLine: the line in the file.
  /// - Returns: the number of lines with objects.
  /// - Throws: as the synchronous form; `CancellationError` when the task is cancelled. The file is not there then, or as
  ///   it was.
  /// - Complexity: O(objects), in memory that does not depend on their number.
  @discardableResult
  public func exportJSONLines(
    to url: URL, classes: [String]? = nil, isIndented: Bool = false,
    progress: (@Sendable (_ done: Int, _ total: Int?) throws -> Void)? = nil,
    sourceFile: StaticString = #fileID, sourceLine: UInt = #line
  ) async throws -> Int {
    let place = CallSite(sourceFile, sourceLine)
    let export = JSONLinesExport(context, place, classes: classes, isIndented: isIndented)
    return try await Self.following(progress) { progress in
      try await onOwnThread("varve.export") {
        try Error.translating { try export.write(to: url, progress) }
      }
    }
  }

  /// Writes the objects of the store to an open file, a pipe or a socket, while the task is suspended.
  ///
  /// - Parameters:
  ///   - file: where to write; it stays open.
  ///   - classes: the stored names of the classes whose objects are written; nil: all of them.
  ///   - isIndented: whether objects are spread over several lines.
  ///   - progress: called from time to time, on the thread that writes.
  ///   - sourceFile: where pins are told of, they are named by it; leave it out.
  ///   - sourceLine: the line in the file.
  /// - Returns: the number of lines with objects.
  /// - Throws: as the synchronous form; `CancellationError` when the task is cancelled. A part may be written then.
  @discardableResult
  public func exportJSONLines(
    to file: FileHandle, classes: [String]? = nil, isIndented: Bool = false,
    progress: (@Sendable (_ done: Int, _ total: Int?) throws -> Void)? = nil,
    sourceFile: StaticString = #fileID, sourceLine: UInt = #line
  ) async throws -> Int {
    let place = CallSite(sourceFile, sourceLine)
    let export = JSONLinesExport(context, place, classes: classes, isIndented: isIndented)
    return try await Self.following(progress) { progress in
      try await onOwnThread("varve.export") {
        try Error.translating { try export.write(to: file, progress) }
      }
    }
  }

  /// Reads a file of JSON Lines into the store, which must not have objects, while the task is suspended.
  ///
  /// The synchronous form tells what is read. It is one write on the store's writer thread: other writes wait for it.
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - progress: called from time to time, on the writer thread.
  /// - Returns: the number of lines with objects.
  /// - Throws: as the synchronous form; `CancellationError` when the task is cancelled. Nothing of the text stays then.
  /// - Complexity: as the synchronous form.
  @discardableResult
  public func importJSONLines(
    from url: URL, progress: (@Sendable (_ done: Int, _ total: Int?) throws -> Void)? = nil
  ) async throws -> Int {
    // To open a pipe may take as long as its other end likes.
    let file = try await onOwnThread("varve.import") {
      try Error.translating { try InputFile.open(try url.pathOfLocalFile()) }
    }
    return try await importJSONLines(from: file, progress: progress)
  }

  /// Reads JSON Lines from an open file, a pipe or a socket into the store, while the task is suspended.
  ///
  /// - Parameters:
  ///   - file: where to read from, to its end.
  ///   - progress: called from time to time, on the writer thread.
  /// - Returns: the number of lines with objects.
  /// - Throws: as the form with a URL; what Foundation throws when the file cannot be read.
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

  /// Runs work whose progress is reported, and ends it at its next report once the task is cancelled.
  private static func following(
    _ progress: (@Sendable (Int, Int?) throws -> Void)?,
    _ work: (@escaping @Sendable (Int, Int?) throws -> Void) async throws -> Int
  ) async throws -> Int {
    try Task.checkCancellation()
    let isCancelled = CancellationFlag()
    return try await withTaskCancellationHandler {
      try await work { done, total in
        try isCancelled.check()
        try progress?(done, total)
      }
    } onCancel: {
      isCancelled.set()
    }
  }
}

/// Whether a task was cancelled, for another thread.
private final class CancellationFlag: Sendable {
  private let bit = Atomic<Bool>(false)

  func set() { bit.store(true, ordering: .releasing) }

  func check() throws {
    if bit.load(ordering: .acquiring) { throw CancellationError() }
  }
}
