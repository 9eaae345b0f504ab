import VarveStorage

/// A version that a process pins, so that its pages are not reused.
///
/// Thread safety: a value.
package struct PinnedVersion: Sendable {
  /// The number of the commit.
  package let number: UInt64
  package let transactionID: UInt64
  /// The number of newer versions.
  package let distance: UInt64
  package let processID: Int32
  /// The age and file growth since the next version, or nil where they are unknown.
  let succession: VersionSuccession?
  /// The time since a newer version exists, or nil where it is unknown.
  package var age: Duration? { succession?.age }
  /// The number of bytes that the file has grown by since, or nil where it is unknown.
  package var growth: Int64? { succession?.growth }
  /// The holders of the version. For another process only a write is known.
  package let holders: [PinHolder]
}

/// A kind of holder of a version, with the number of such holders.
///
/// Thread safety: a value.
package struct PinHolder: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// Values that were frozen at `callSite`.
    case frozen
    /// Frozen values that were delivered to an observer.
    case handed
    /// Sequences of chunks that were made at `callSite`.
    case chunks
    /// Live views.
    case view
    /// Observers of `subject`.
    case observer
    /// A write in progress.
    case write
    /// An iteration or a comparison in progress.
    case reading
  }

  package let kind: Kind
  package var count = 1
  package var subject: String?
  package var callSite: CallSite?
}

extension PinHolder: CustomStringConvertible {
  /// A short description for log messages and reports.
  package var description: String {
    switch kind {
    case .frozen:
      (count == 1 ? "a frozen value" : "\(count) frozen values")
        + (callSite.map { " of \($0.description)" } ?? "")
    case .chunks:
      (count == 1 ? "a sequence of chunks" : "\(count) sequences of chunks")
        + (callSite.map { " of \($0.description)" } ?? "")
    case .handed: count == 1 ? "a value of an observer" : "\(count) values of observers"
    case .view: count == 1 ? "an open realm" : "\(count) open realms"
    case .observer:
      (count == 1 ? "an observer" : "\(count) observers") + (subject.map { " of \($0)" } ?? "")
    case .write: "a write"
    case .reading: "a read in progress"
    }
  }
}

extension PinnedVersion: CustomStringConvertible {
  /// A one-line description for log messages and reports.
  package var description: String {
    var parts = ["version \(number)", "process \(processID)", "\(distance) versions behind"]
    if let age { parts.append("superseded \(age) ago") }
    if let growth { parts.append("the file grew by \(growth) bytes since") }
    if !holders.isEmpty { parts.append(holders.map(\.description).joined(separator: ", ")) }
    return parts.joined(separator: "; ")
  }
}
