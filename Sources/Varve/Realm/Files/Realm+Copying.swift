public import Foundation
import VarveCore

/// Copies that block the calling thread.
extension Realm {
  /// Writes a copy of the newest version to a new file, without free pages. Writers are not
  /// blocked. A frozen realm copies the newest version too. If pages of the file are leaked (see
  /// ``Realm/CheckReport/leakedPageCount``), the copy keeps them and the free pages.
  ///
  /// Use this method from synchronous code: it blocks its thread until the copy is complete. In
  /// asynchronous code, use `try await realm.writeCopy(toFile: url)`.
  ///
  /// The copy is written under a temporary name, checked, synchronized to disk, and then renamed,
  /// so the file is either complete or absent. The versions of the copy form another history than
  /// those of this file.
  ///
  /// - Parameters:
  ///   - fileURL: The URL of the copy. No file may exist there.
  ///   - encryptionKey: Must be nil: files cannot be encrypted.
  /// - Throws: `Realm.Error`: `.fileExists`, `.invalidInput` for a key,
  ///   `.alreadyInWriteTransaction` inside a write of any form, `.outOfDiskSpace`, `.corrupted`,
  ///   `.closed`, or an error of the path. No copy is left then.
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

  /// Writes a copy of the newest version to the file of a configuration, and blocks its thread
  /// until the copy is complete.
  ///
  /// Use this method from synchronous code. In asynchronous code, use
  /// `try await realm.writeCopy(configuration: configuration)`.
  ///
  /// - Parameter configuration: The configuration that names the new file. Only its `fileURL` and
  ///   `encryptionKey` are used.
  /// - Throws: The errors of the form with a URL; `.invalidInput` for a configuration in memory.
  @available(
    *, noasync, message: "it blocks its thread; use 'try await' (in main.swift inside a function)"
  )
  public func writeCopy(configuration: Configuration) throws {
    let (fileURL, encryptionKey) = try Self.target(configuration)
    try writeCopy(toFile: fileURL, encryptionKey: encryptionKey)
  }

  private static func target(_ configuration: Configuration) throws -> (URL, Data?) {
    guard let fileURL = configuration.fileURL else {
      throw Error(.invalidInput, "A copy cannot be written to a store in memory.")
    }
    return (fileURL, configuration.encryptionKey)
  }
}

/// Copies that suspend the calling task.
extension Realm {
  /// Writes a copy of the newest version to a new file, without free pages, while the task is
  /// suspended.
  ///
  /// Writers are not blocked. The copy is written on a dedicated thread, under a temporary name,
  /// checked, synchronized to disk, and then renamed, so the file is either complete or absent. The
  /// versions of the copy form another history than those of this file. If pages of the file are
  /// leaked, the copy keeps them and the free pages.
  ///
  /// - Parameters:
  ///   - fileURL: The URL of the copy. No file may exist there.
  ///   - encryptionKey: Must be nil: files cannot be encrypted.
  /// - Throws: `Realm.Error`: `.fileExists`, `.invalidInput` for a key, `.outOfDiskSpace`,
  ///   `.corrupted`, `.closed`, or an error of the path; `CancellationError` when the task is
  ///   cancelled before the copy is renamed. No copy, and no part of one, is left then.
  /// - Complexity: O(pages).
  public func writeCopy(toFile fileURL: URL, encryptionKey: Data? = nil) async throws {
    try await writeCopy(toFile: fileURL, encryptionKey: encryptionKey, watch: WorkWatch(nil))
  }

  /// Writes a copy of the newest version to a new file, and reports the progress.
  ///
  /// This is the asynchronous `writeCopy` with a closure:
  ///
  /// ```swift
  /// try await realm.writeCopy(toFile: backup) { progress in
  ///   print("\(progress.completedBytes) of \(progress.totalBytes) bytes")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - fileURL: The URL of the copy. No file may exist there.
  ///   - encryptionKey: Must be nil: files cannot be encrypted.
  ///   - progress: Called at the beginning and after each mebibyte, on the thread that writes the
  ///     copy. The copy is checked and synchronized to disk after the last call. An error that it
  ///     throws stops the copy.
  /// - Throws: The errors of the form without `progress`, and the errors that `progress` throws.
  /// - Complexity: O(pages).
  public func writeCopy(
    toFile fileURL: URL, encryptionKey: Data? = nil,
    progress: @escaping @Sendable (CopyProgress) throws -> Void
  ) async throws {
    try await writeCopy(
      toFile: fileURL, encryptionKey: encryptionKey,
      watch: WorkWatch(CopyProgress.report(to: progress)))
  }

  /// Writes a copy of the newest version to the file of a configuration, while the task is
  /// suspended.
  ///
  /// - Parameter configuration: The configuration that names the new file. Only its `fileURL` and
  ///   `encryptionKey` are used.
  /// - Throws: The errors of the asynchronous form with a URL; `.invalidInput` for a configuration
  ///   in memory.
  public func writeCopy(configuration: Configuration) async throws {
    let (fileURL, encryptionKey) = try Self.target(configuration)
    try await writeCopy(toFile: fileURL, encryptionKey: encryptionKey)
  }

  /// Writes a copy of the newest version to the file of a configuration, and reports the progress.
  ///
  /// - Parameters:
  ///   - configuration: The configuration that names the new file. Only its `fileURL` and
  ///     `encryptionKey` are used.
  ///   - progress: Called as described for ``writeCopy(toFile:encryptionKey:progress:)``.
  /// - Throws: The errors of ``writeCopy(toFile:encryptionKey:progress:)``; `.invalidInput` for a
  ///   configuration in memory.
  public func writeCopy(
    configuration: Configuration, progress: @escaping @Sendable (CopyProgress) throws -> Void
  ) async throws {
    let (fileURL, encryptionKey) = try Self.target(configuration)
    try await writeCopy(toFile: fileURL, encryptionKey: encryptionKey, progress: progress)
  }

  private func writeCopy(toFile fileURL: URL, encryptionKey: Data?, watch: WorkWatch) async throws {
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
  /// Returns a reporter of the core that calls a user's closure.
  static func report(to progress: @escaping @Sendable (Self) throws -> Void) -> WorkWatch.Report {
    { completed, total in
      try progress(Self(completedBytes: completed, totalBytes: total))
    }
  }
}
