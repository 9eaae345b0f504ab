package import Foundation

/// A store that is measured.
///
/// What an engine can do it says by the protocols that it conforms to; a workload that needs another one is not run on
/// it. Each call does a whole piece of work, so that the harness costs an engine nothing. An engine does what a user of
/// it would write.
///
/// Calls come from one thread unless a protocol says otherwise.
package protocol Engine: Sendable {
  /// As on the command line.
  static var name: String { get }

  /// The most objects that it is given in a workload, where the work on all of them would take hours; its results say how
  /// many there were.
  static func largestCount(of workload: Workload) -> Int

  /// Opens a store in a directory, a new one if there is none.
  ///
  /// - Parameters:
  ///   - directory: Where its files are.
  ///   - durability: What a commit waits for.
  /// - Throws: What the engine throws.
  init(directory: URL, durability: Durability) throws

  /// Brings what waits in a log into the store's own files, and shortens the log; then the files take what they take at
  /// rest. Not part of any measured work.
  ///
  /// - Throws: What the engine throws.
  func writeBack() throws

  /// Closes the store; called once, when no reader and no observation is left.
  ///
  /// - Throws: What the engine throws.
  func close() throws
}

extension Engine {
  package static func largestCount(of workload: Workload) -> Int { .max }

  /// For those who have no log.
  package func writeBack() throws {}
}

/// What a commit waits for.
package enum Durability: String, Codable, Sendable {
  /// Until the disk has it: after a power cut it is there.
  case full

  /// Nothing: after a power cut the last commits, or the store, may be lost.
  case none
}
