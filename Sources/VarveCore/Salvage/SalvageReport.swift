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

      /// The reason in words.
      package var text: String {
        switch self {
        case .badChecksum: "bad checksum"
        case .undecodable: "cannot be decoded"
        case .duplicate: "duplicate"
        case .refused: "refused by the new store"
        case .ownerLost: "its owner, or the reference to it, is lost"
        }
      }
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

  /// A class that could not be rescued.
  package struct LostClass: Sendable, Hashable {
    package let name: String
    /// The number of objects according to the record of their table, or that of the objects that
    /// were found if it is greater; nil if neither is known.
    package let objectCount: Int?
  }

  /// The maximum number of listed lost objects. Further ones are only counted.
  package static let maximumLostObjects = 1_000

  package internal(set) var classes: [ClassCount] = []
  package internal(set) var lostObjects: [LostObject] = []
  /// The classes that could not be rescued, in the order of their ids.
  package internal(set) var lostClasses: [LostClass] = []
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
  /// The number of objects that are known to be lost, including those of lost classes.
  package var lostCount: Int {
    (classes.map(\.lost) + lostClasses.compactMap(\.objectCount)).clampedSum
  }

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

extension [Int] {
  /// The sum, or `Int.max` if it is greater. The number of entries in the record of a damaged table
  /// may be any.
  ///
  /// - Precondition: No element is negative.
  package var clampedSum: Int {
    reduce(0) { sum, count in
      let (result, isTooGreat) = sum.addingReportingOverflow(count)
      return isTooGreat ? .max : result
    }
  }
}
