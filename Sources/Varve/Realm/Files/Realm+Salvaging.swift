public import Foundation
import VarveCore

/// Rescuing the objects of damaged files.
extension Realm {
  /// Rescues what can be read of a damaged file into a new store, and blocks its thread meanwhile.
  ///
  /// Use this method from synchronous code. In asynchronous code, use
  /// `try await Realm.salvage(from: file, to: newFile)`.
  ///
  /// The damaged file is read without mapping it, so that an unreadable block does not end the
  /// process, and it is not changed. Its readable pages are copied to a private directory next to
  /// the new store, which is removed at the end; it needs up to twice the size of the file. Every
  /// object whose checksum matches is stored in the new store, with its class, key, values,
  /// collections and embedded objects. Indexes are made again. Objects of classes without a primary
  /// key keep their numbers. The pages below a damaged branch page are not found.
  ///
  /// The new store is checked and synchronized under a temporary name, and then renamed, so it is
  /// either finished or absent. See <doc:DamagedFiles>.
  ///
  /// - Parameters:
  ///   - damagedFile: The URL of the damaged file. No process may have it open, or hold values of
  ///     it.
  ///   - newFile: The URL of the new store. No file may exist there.
  /// - Returns: A report of what was rescued and what is lost. Check
  ///   ``Realm/SalvageReport/isComplete``.
  /// - Throws: `Realm.Error`: `.fileExists`; `.alreadyOpen` when a process has the damaged file
  ///   open; `.invalidDatabase` when it is not a store; `.corrupted` when nothing can be rescued;
  ///   `.outOfDiskSpace`, or an error of the paths. No new store is left then.
  /// - Complexity: O(bytes of the file), and O(log n) for each object.
  @available(
    *, noasync, message: "it blocks its thread; use 'try await' (in main.swift inside a function)"
  )
  public static func salvage(
    from damagedFile: URL, to newFile: URL
  ) throws -> SalvageReport {
    try salvageNow(damagedFile, newFile, WorkWatch(nil))
  }

  /// Rescues what can be read of a damaged file into a new store, and reports the progress.
  ///
  /// This is the synchronous `salvage(from:to:)` with a closure.
  ///
  /// - Parameters:
  ///   - damagedFile: The URL of the damaged file. No process may have it open, or hold values of
  ///     it.
  ///   - newFile: The URL of the new store. No file may exist there.
  ///   - progress: Called on the calling thread at the beginning, many times meanwhile, and before
  ///     the new store is renamed. An error that it throws stops the salvage.
  /// - Returns: A report of what was rescued and what is lost.
  /// - Throws: The errors of the form without `progress`, and the errors that `progress` throws.
  @available(
    *, noasync, message: "it blocks its thread; use 'try await' (in main.swift inside a function)"
  )
  public static func salvage(
    from damagedFile: URL, to newFile: URL,
    progress: @escaping @Sendable (SalvageProgress) throws -> Void
  ) throws -> SalvageReport {
    try salvageNow(damagedFile, newFile, WorkWatch(SalvageProgress.report(to: progress)))
  }

  /// Rescues what can be read of a damaged file into a new store on a dedicated thread, while the
  /// task is suspended.
  ///
  /// This is the asynchronous form of `salvage(from:to:)`.
  ///
  /// - Parameters:
  ///   - damagedFile: The URL of the damaged file. No process may have it open, or hold values of
  ///     it.
  ///   - newFile: The URL of the new store. No file may exist there.
  /// - Returns: A report of what was rescued and what is lost.
  /// - Throws: The errors of the synchronous form; `CancellationError` when the task is cancelled
  ///   before the new store is renamed. No new store is left then.
  public static func salvage(
    from damagedFile: URL, to newFile: URL
  ) async throws -> SalvageReport {
    try await salvage(damagedFile, newFile, WorkWatch(nil))
  }

  /// Rescues what can be read of a damaged file into a new store, and reports the progress.
  ///
  /// This is the asynchronous `salvage(from:to:)` with a closure.
  ///
  /// - Parameters:
  ///   - damagedFile: The URL of the damaged file. No process may have it open, or hold values of
  ///     it.
  ///   - newFile: The URL of the new store. No file may exist there.
  ///   - progress: Called at the beginning, many times meanwhile, and before the new store is
  ///     renamed, on the thread of the salvage. An error that it throws stops the salvage.
  /// - Returns: A report of what was rescued and what is lost.
  /// - Throws: The errors of the form without `progress`, and the errors that `progress` throws.
  public static func salvage(
    from damagedFile: URL, to newFile: URL,
    progress: @escaping @Sendable (SalvageProgress) throws -> Void
  ) async throws -> SalvageReport {
    try await salvage(damagedFile, newFile, WorkWatch(SalvageProgress.report(to: progress)))
  }

  private static func salvage(
    _ source: URL, _ target: URL, _ watch: WorkWatch
  ) async throws -> SalvageReport {
    try Task.checkCancellation()
    return try await withTaskCancellationHandler {
      try await onOwnThread("varve.salvaging") { try salvageNow(source, target, watch) }
    } onCancel: {
      watch.stop()
    }
  }

  private static func salvageNow(
    _ source: URL, _ target: URL, _ watch: WorkWatch
  ) throws -> SalvageReport {
    try Error.translating {
      let (from, to) = (try source.pathOfLocalFile(), try target.pathOfLocalFile())
      return SalvageReport(
        try watch.run { try VarveCore.Salvage.run(from: from, to: to, watch: watch) })
    }
  }
}

extension Realm.SalvageProgress {
  /// Returns a reporter of the core that calls a user's closure.
  static func report(to progress: @escaping @Sendable (Self) throws -> Void) -> WorkWatch.Report {
    { completed, total in
      try progress(Self(completedUnits: completed, totalUnits: total))
    }
  }
}
