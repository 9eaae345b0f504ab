package import Foundation

/// A store that is measured.
///
/// An engine declares its capabilities by the protocols to which it conforms. A workload that needs
/// another protocol is not run on it. Each call does a whole piece of work, so that the harness
/// adds no cost. An engine is implemented the way its users would use the store.
///
/// Calls come from one thread unless a protocol documents otherwise.
package protocol Engine: Sendable {
  /// The name on the command line.
  static var name: String { get }

  /// The maximum number of objects that the engine gets in a workload, where the work on all
  /// objects would take hours. The results record the actual number.
  static func largestCount(of workload: Workload) -> Int

  /// Opens the store in a directory, or creates a new one.
  ///
  /// - Parameters:
  ///   - directory: The directory of the store's files.
  ///   - durability: The guarantee of a commit.
  init(directory: URL, durability: Durability) throws

  /// Moves the contents of a log into the store's own files and truncates the log, so that the
  /// files have their final size. This is not part of any measured work.
  func writeBack() throws

  /// Closes the store. Called once, when there are no readers or observations left.
  func close() throws
}

extension Engine {
  package static func largestCount(of workload: Workload) -> Int { .max }

  /// The default for engines without a log.
  package func writeBack() throws {}
}

/// The guarantee of a commit.
package enum Durability: String, Codable, Sendable {
  /// A commit waits for the disk and survives a power failure.
  case full

  /// A commit waits for nothing: a power failure may lose the last commits, or the store.
  case none
}
