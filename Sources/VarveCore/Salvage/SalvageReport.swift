/// What a salvage rescued from a damaged file, and what is lost.
package struct SalvageReport: Sendable {
  /// An object that could not be rescued.
  package struct LostObject: Sendable, Hashable {
    package enum Reason: String, Sendable {
      /// The checksum of the row does not match.
      case badChecksum
      /// The row, or a value that cannot be null, cannot be decoded.
      case undecodable
      /// Another object has the same primary key, or the same values of a unique index.
      case duplicate
      /// The new store refused it.
      case refused
      /// An embedded object without an owner.
      case ownerLost
    }

    package let className: String
    /// The primary key, or the number of the object if it has none or the key is unreadable.
    package let key: String
    package let reason: Reason
    package let detail: String
  }

  /// The objects of one class.
  package struct ClassCount: Sendable, Hashable {
    package let name: String
    package internal(set) var rescued = 0
    package internal(set) var lost = 0
  }

  /// The maximum number of listed lost objects. Further ones are only counted.
  package static let maximumLostObjects = 1_000

  package internal(set) var classes: [ClassCount] = []
  package internal(set) var lostObjects: [LostObject] = []
  /// The classes that could not be rescued: their names, or their numbers.
  package internal(set) var lostClasses: [String] = []
  /// The properties that link to such a class.
  package internal(set) var lostProperties: [String] = []
  /// The number of values that became null because they cannot be read.
  package internal(set) var lostValueCount = 0
  /// The number of elements of lists, sets and maps that cannot be read.
  package internal(set) var lostElementCount = 0
  /// The number of links to objects that are lost.
  package internal(set) var lostLinkCount = 0
  package internal(set) var damagedPageCount = 0
  package internal(set) var unreadableByteCount = 0
  package internal(set) var isMetaDamaged = false
  package internal(set) var isEarlierVersion = false
  /// Whether a table of objects, collections or blobs, or the list of tables, lacks pages.
  package internal(set) var lacksPages = false

  package var rescuedCount: Int { classes.reduce(0) { $0 + $1.rescued } }
  package var lostCount: Int { classes.reduce(0) { $0 + $1.lost } }

  /// Whether nothing was lost.
  package var isComplete: Bool {
    lostCount == 0 && lostObjects.isEmpty && lostClasses.isEmpty && lostProperties.isEmpty
      && lostValueCount == 0 && lostElementCount == 0 && lostLinkCount == 0 && !isMetaDamaged
      && !isEarlierVersion && !lacksPages
  }

  mutating func note(_ object: LostObject) {
    guard lostObjects.count < Self.maximumLostObjects else { return }
    lostObjects.append(object)
  }
}
