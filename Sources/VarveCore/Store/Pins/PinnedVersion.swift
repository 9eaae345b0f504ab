import VarveStorage

/// A version that a process pins: pages that it needs are not used again.
///
/// Thread safety: a value.
package struct PinnedVersion: Sendable {
  /// The number of the commit.
  package let number: UInt64
  package let transactionID: UInt64
  /// How many newer versions there are.
  package let distance: UInt64
  package let processID: Int32
  /// What came after it; nil where that is not known.
  let succession: VersionSuccession?
  /// How long there has been a newer version; nil where that is not known.
  package var age: Duration? { succession?.age }
  /// By how many bytes the file has grown since; nil where that is not known.
  package var growth: Int64? { succession?.growth }
  /// What holds the version; of another process only a write is known.
  package let holders: [PinHolder]
}

/// What holds a version, and how many of its kind.
///
/// Thread safety: a value.
package struct PinHolder: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// Values that were frozen, at `place`.
    case frozen
    /// Frozen values that an observer was handed.
    case handed
    /// Live views.
    case view
    /// Observers of `subject`.
    case observer
    /// A write that is going on.
    case write
    /// A walk, or a comparison, that is going on.
    case reading
  }

  package let kind: Kind
  package var count = 1
  package var subject: String?
  package var place: CallSite?
}

extension PinHolder: CustomStringConvertible {
  /// A few words for a person.
  package var description: String {
    switch kind {
    case .frozen:
      (count == 1 ? "a frozen value" : "\(count) frozen values")
        + (place.map { " of \($0.description)" } ?? "")
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
  /// A line for a person.
  package var description: String {
    var parts = ["version \(number)", "process \(processID)", "\(distance) versions behind"]
    if let age { parts.append("superseded \(age) ago") }
    if let growth { parts.append("the file grew by \(growth) bytes since") }
    if !holders.isEmpty { parts.append(holders.map(\.description).joined(separator: ", ")) }
    return parts.joined(separator: "; ")
  }
}
