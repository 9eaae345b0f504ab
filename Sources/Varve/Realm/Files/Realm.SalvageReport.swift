import VarveCore

extension Realm {
  /// What `Realm.salvage(from:to:)` rescued from a damaged file, and what is lost.
  ///
  /// Unstable: a minor release before 1.0 may change this type.
  public struct SalvageReport: Sendable, Hashable {
    /// The objects of one class.
    public struct ClassCount: Sendable, Hashable {
      /// The name of the class.
      public let name: String
      /// The number of objects in the new store.
      public let rescued: Int
      /// The number of objects that are known to be lost.
      public let lost: Int
    }

    /// An object that could not be rescued.
    public struct LostObject: Sendable, Hashable, CustomStringConvertible {
      /// The reason of a loss. Later versions may add reasons.
      public struct Reason: Sendable, Hashable, CustomStringConvertible {
        /// The name of the reason, such as `badChecksum`.
        public let description: String

        /// The bytes of the object do not match their checksum.
        public static let badChecksum = Reason(description: "badChecksum")
        /// The object, or a value that cannot be null, cannot be decoded.
        public static let undecodable = Reason(description: "undecodable")
        /// Another object has the same primary key, or the same values of a unique index.
        public static let duplicate = Reason(description: "duplicate")
        /// The new store refused the object.
        public static let refused = Reason(description: "refused")
        /// The object is embedded, and its owner is lost.
        public static let ownerLost = Reason(description: "ownerLost")
      }

      /// The name of the class.
      public let className: String
      /// The primary key as text, or the number of the object if it has none.
      public let key: String
      /// The reason.
      public let reason: Reason
      /// A description of the reason, in words.
      public let detail: String

      /// The class, the key, and the reason in words, in one line.
      public var description: String {
        let text = reason.text
        return "\(className) \(key): \(text)" + (detail == text ? "" : ": \(detail)")
      }
    }

    /// A class that could not be rescued.
    public struct LostClass: Sendable, Hashable {
      /// The number of the class, such as `class 3`. Its name is not known.
      public let name: String
      /// The number of objects of the class, all of which are lost, according to the table of the
      /// objects. Nil if it is not known.
      public let objectCount: Int?
    }

    /// The classes, in the order of the file.
    public let classes: [ClassCount]
    /// The lost objects whose keys are known, at most the first 1,000. An object on an unreadable
    /// page is only counted.
    public let lostObjects: [LostObject]
    /// The classes that are lost with all their objects.
    public let lostClasses: [LostClass]
    /// The properties that the new store lacks because they link to a lost class.
    public let lostProperties: [String]
    /// The number of values that are null in the new store because they cannot be read.
    public let lostValueCount: Int
    /// The number of elements of lists, sets and maps that cannot be read.
    public let lostElementCount: Int
    /// The number of links to lost objects. They are null in the new store, and removed from lists
    /// and sets.
    public let lostLinkCount: Int
    /// The number of damaged pages of the tables that are rescued. Damaged pages of indexes and of
    /// the free list are not counted, because no data is lost with them.
    public let damagedPageCount: Int
    /// Whether entries of the tables that are rescued are missing, or may be. Their number is known
    /// only in part: an unreadable page may have contained any objects, elements or blobs.
    public let isDataMissing: Bool
    /// The number of bytes of the file that the system could not read.
    public let unreadableByteCount: Int
    /// Whether one of the two pages that name the newest version is damaged. The last commit may be
    /// lost then.
    public let isMetaPageDamaged: Bool
    /// Whether the newest version cannot be read, and the version before it was rescued.
    public let isEarlierVersion: Bool
    /// Whether nothing was lost, as far as the file shows.
    public let isComplete: Bool

    /// The number of objects in the new store, including embedded objects.
    public var rescuedCount: Int { classes.reduce(0) { $0 + $1.rescued } }
    /// The number of objects that are known to be lost, including those of lost classes whose
    /// number is known.
    public var lostCount: Int {
      (classes.map(\.lost) + lostClasses.compactMap(\.objectCount)).clampedSum
    }
  }

  /// The progress of a salvage.
  ///
  /// The total does not change, and the completed units never decrease.
  public struct SalvageProgress: Sendable, Hashable {
    /// The number of units that are done. The unit is a byte of the file, which is processed three
    /// times.
    public let completedUnits: Int
    /// The number of units of the whole salvage.
    public let totalUnits: Int
    /// The fraction that is done, from 0 to 1. It is 1 only at the end.
    public var fractionCompleted: Double { Double(completedUnits) / Double(max(1, totalUnits)) }
  }
}

extension Realm.SalvageReport: CustomStringConvertible {
  /// The numbers of rescued objects, and one line for each kind of loss.
  public var description: String {
    let rescued =
      "\(rescuedCount.text("object")) of \(classes.count.text("class", "classes")) rescued"
    var lines = ["\(rescued), \(lostCount) lost"]
    for count in classes where count.lost > 0 {
      lines.append("\(count.name): \(count.lost.text("object")) lost, \(count.rescued) rescued")
    }
    lines += lostClasses.map { lost in
      "\(lost.name): lost with \(lost.objectCount.map { $0.text("object") } ?? "all objects")"
    }
    lines += lostProperties.map { "\($0): lost, because it links to a lost class" }
    lines += countLines
    if isDataMissing { lines.append("pages of objects, collections or blobs are missing") }
    if isMetaPageDamaged { lines.append("a meta page is damaged: the last commit may be lost") }
    if isEarlierVersion { lines.append("the newest version is lost: the one before was rescued") }
    lines += lostObjects.map(\.description)
    lines.append(isComplete ? "complete" : "not complete")
    return lines.joined(separator: "\n")
  }

  private var countLines: [String] {
    let links = lostLinkCount.text("link to a lost object", "links to lost objects")
    let counts = [
      (lostValueCount, lostValueCount.text("value") + " lost"),
      (lostElementCount, lostElementCount.text("element") + " of collections lost"),
      (lostLinkCount, links + " cut"),
      (damagedPageCount, damagedPageCount.text("damaged page")),
      (unreadableByteCount, unreadableByteCount.text("byte") + " could not be read"),
    ]
    return counts.filter { $0.0 > 0 }.map(\.1)
  }
}

extension Int {
  /// The number with a noun, in the singular or the plural.
  func text(_ singular: String, _ plural: String? = nil) -> String {
    "\(self) \(self == 1 ? singular : plural ?? singular + "s")"
  }
}

extension Realm.SalvageReport.LostObject.Reason {
  /// The reason in words.
  fileprivate var text: String {
    VarveCore.SalvageReport.LostObject.Reason(rawValue: description)?.text ?? description
  }
}

extension Realm.SalvageReport {
  init(_ report: SalvageReport) {
    classes = report.classes.map {
      ClassCount(name: $0.name, rescued: $0.rescued, lost: $0.lost)
    }
    lostObjects = report.lostObjects.map {
      LostObject(
        className: $0.className, key: $0.key,
        reason: LostObject.Reason(description: $0.reason.rawValue), detail: $0.detail)
    }
    lostClasses = report.lostClasses.map {
      LostClass(name: $0.name, objectCount: $0.objectCount)
    }
    lostProperties = report.lostProperties
    lostValueCount = report.lostValueCount
    lostElementCount = report.lostElementCount
    lostLinkCount = report.lostLinkCount
    damagedPageCount = report.damagedPageCount
    unreadableByteCount = report.unreadableByteCount
    isDataMissing = report.lacksPages
    isMetaPageDamaged = report.isMetaDamaged
    isEarlierVersion = report.isEarlierVersion
    isComplete = report.isComplete
  }
}
