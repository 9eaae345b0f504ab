public import Foundation
import VarveCore

/// Copies that keep their thread until they are made.
extension Realm {
  /// Writes a copy of the newest version to a new file, without free pages. Writers go on meanwhile.
  ///
  /// It is for synchronous code: it keeps its thread until the copy is made. Asynchronous code gets the asynchronous
  /// form: `try await realm.writeCopy(toFile: url)`.
  ///
  /// The copy is made under a temporary name, checked, put on the disk, and then given its name: there is a whole copy
  /// or none. Its versions are another history than those of this file.
  ///
  /// - Parameters:
  ///   - fileURL: where; there must be nothing yet.
  ///   - encryptionKey: must be nil: files cannot be encrypted.
  /// - Throws: `Realm.Error`: `.fileExists`, `.invalidInput` for a key, `.alreadyInWriteTransaction` inside a write of
  ///   any form, `.outOfDiskSpace`, `.corrupted`, `.closed`, or why the path cannot be used. There is then no copy.
  /// - Complexity: O(pages).
  @available(
    *, noasync, message: "it blocks its thread; use 'try await' (in main.swift inside a function)"
  )
  public func writeCopy(toFile fileURL: URL, encryptionKey: Data? = nil) throws {
    try Error.translating {
      try Configuration.refuse(encryptionKey: encryptionKey, path: fileURL.path)
      try store.copy(to: try fileURL.pathOfLocalFile())
    }
  }

  /// Writes a copy of the newest version to the file of a configuration, and keeps its thread until the copy is made.
  ///
  /// It is for synchronous code. Asynchronous code gets the asynchronous form:
  /// `try await realm.writeCopy(configuration: configuration)`.
  ///
  /// - Parameter configuration: names the new file; what else it says concerns its opening.
  /// - Throws: as the form with a URL; `.invalidInput` for a configuration in memory.
  @available(
    *, noasync, message: "it blocks its thread; use 'try await' (in main.swift inside a function)"
  )
  public func writeCopy(configuration: Configuration) throws {
    let (fileURL, encryptionKey) = try Self.target(configuration)
    try writeCopy(toFile: fileURL, encryptionKey: encryptionKey)
  }

  private static func target(_ configuration: Configuration) throws -> (URL, Data?) {
    guard let fileURL = configuration.fileURL else {
      throw Error(.invalidInput, "A copy is a file: the configuration names a store in memory.")
    }
    return (fileURL, configuration.encryptionKey)
  }
}

/// Copies that a task waits for.
extension Realm {
  /// Writes a copy of the newest version to a new file, without free pages, while the task is suspended.
  ///
  /// Writers go on meanwhile. The copy is made on a thread of its own, under a temporary name, checked, put on the disk,
  /// and then given its name: there is a whole copy or none. Its versions are another history than those of this file.
  ///
  /// - Parameters:
  ///   - fileURL: where; there must be nothing yet.
  ///   - encryptionKey: must be nil: files cannot be encrypted.
  /// - Throws: `Realm.Error`: `.fileExists`, `.invalidInput` for a key, `.outOfDiskSpace`, `.corrupted`, `.closed`, or
  ///   why the path cannot be used; `CancellationError` when the task is cancelled before the copy has its name. There
  ///   is then no copy, nor a part of one.
  /// - Complexity: O(pages).
  public func writeCopy(toFile fileURL: URL, encryptionKey: Data? = nil) async throws {
    try await writeCopy(toFile: fileURL, encryptionKey: encryptionKey, watch: CopyWatch(nil))
  }

  /// Writes a copy of the newest version to a new file, and reports how far it has come.
  ///
  /// It is the asynchronous `writeCopy`, with a closure:
  ///
  /// ```swift
  /// try await realm.writeCopy(toFile: backup) { progress in
  ///   print("\(progress.completedBytes) of \(progress.totalBytes) bytes")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - fileURL: where; there must be nothing yet.
  ///   - encryptionKey: must be nil: files cannot be encrypted.
  ///   - progress: called at the beginning and after each part of a mebibyte, on the thread that writes the copy.
  ///     The copy is checked and put on the disk after the last call. What the closure throws stops the copy.
  /// - Throws: as the form without `progress`; what `progress` throws.
  /// - Complexity: O(pages).
  public func writeCopy(
    toFile fileURL: URL, encryptionKey: Data? = nil,
    progress: @escaping @Sendable (CopyProgress) throws -> Void
  ) async throws {
    try await writeCopy(
      toFile: fileURL, encryptionKey: encryptionKey,
      watch: CopyWatch(CopyProgress.report(to: progress)))
  }

  /// Writes a copy of the newest version to the file of a configuration, while the task is suspended.
  ///
  /// - Parameter configuration: names the new file; what else it says concerns its opening.
  /// - Throws: as the asynchronous form with a URL; `.invalidInput` for a configuration in memory.
  public func writeCopy(configuration: Configuration) async throws {
    let (fileURL, encryptionKey) = try Self.target(configuration)
    try await writeCopy(toFile: fileURL, encryptionKey: encryptionKey)
  }

  /// Writes a copy of the newest version to the file of a configuration, and reports how far it has come.
  ///
  /// - Parameters:
  ///   - configuration: names the new file; what else it says concerns its opening.
  ///   - progress: as in ``writeCopy(toFile:encryptionKey:progress:)``.
  /// - Throws: as ``writeCopy(toFile:encryptionKey:progress:)``; `.invalidInput` for a configuration in memory.
  public func writeCopy(
    configuration: Configuration, progress: @escaping @Sendable (CopyProgress) throws -> Void
  ) async throws {
    let (fileURL, encryptionKey) = try Self.target(configuration)
    try await writeCopy(toFile: fileURL, encryptionKey: encryptionKey, progress: progress)
  }

  private func writeCopy(toFile fileURL: URL, encryptionKey: Data?, watch: CopyWatch) async throws {
    try Task.checkCancellation()
    try await withTaskCancellationHandler {
      try await onOwnThread("varve.copying") { [store] in
        try Error.translating {
          try Configuration.refuse(encryptionKey: encryptionKey, path: fileURL.path)
          let path = try fileURL.pathOfLocalFile()
          try watch.run { try store.copy(to: path, watch: watch) }
        }
      }
    } onCancel: {
      watch.stop()
    }
  }
}

extension Realm.CopyProgress {
  /// What calls a closure for a copy.
  static func report(to progress: @escaping @Sendable (Self) throws -> Void) -> CopyWatch.Report {
    { completed, total in
      try progress(Self(completedBytes: completed, totalBytes: total))
    }
  }
}
