import VarveCore

extension Realm {
  /// What `check()` found in a version of a store.
  ///
  /// Thread safety: a value.
  public struct CheckReport: Sendable, Hashable {
    /// Something that is not as it must be.
    public struct Problem: Sendable, Hashable, CustomStringConvertible {
      /// What a problem concerns.
      public enum Kind: String, Sendable, CaseIterable {
        /// A page of the file: its form, or its place in a tree.
        case page
        /// A class, a property or an index, as the file describes it.
        case schema
        /// The row of an object, or one of its values.
        case object
        /// An index entry that is missing, or that no object calls for.
        case index
        /// A link to no object, or a link that its object does not know of.
        case link
        /// An embedded object without a parent, or with several.
        case embeddedObject
        /// A list, a set, a map, or an element of one.
        case collection
        /// A value of more than 512 bytes, which is stored apart.
        case blob
      }

      /// What it concerns.
      public let kind: Kind

      /// Where it is: the class, the object, the property, as far as they are known.
      public let place: String

      /// What is wrong there.
      public let detail: String

      /// The place and what is wrong there, in one line.
      public var description: String { "\(kind.rawValue): \(place): \(detail)" }
    }

    /// The number of classes.
    public let classCount: Int

    /// The number of objects, with embedded ones.
    public let objectCount: Int

    /// The number of index entries.
    public let indexEntryCount: Int

    /// The number of links, those from one object through one property to another counted once.
    public let linkCount: Int

    /// The number of lists, sets and maps that were used, with those in mixed values.
    public let collectionCount: Int

    /// The number of their elements.
    public let elementCount: Int

    /// The number of values of more than 512 bytes.
    public let blobCount: Int

    /// The problems; of more than 1,000 the first ones.
    public let problems: [Problem]

    /// The number of all problems.
    public let problemCount: Int

    /// Whether there are no problems.
    public var isSound: Bool { problemCount == 0 }
  }
}

extension Realm.CheckReport: CustomStringConvertible {
  /// What was checked, and the problems, a line for each.
  public var description: String {
    let checked =
      "\(classCount) classes, \(objectCount) objects, \(indexEntryCount) index entries, \(linkCount) links, "
      + "\(collectionCount) collections of \(elementCount) elements, \(blobCount) blobs"
    var lines = [checked] + problems.map(\.description)
    if problemCount > problems.count { lines.append("\(problemCount - problems.count) more") }
    return lines.joined(separator: "\n")
  }
}

extension Realm.CheckReport {
  init(_ report: StoreCheck.Report) {
    self.init(
      classCount: report.classCount, objectCount: report.objectCount,
      indexEntryCount: report.indexEntryCount, linkCount: report.backlinkCount,
      collectionCount: report.collectionCount, elementCount: report.elementCount,
      blobCount: report.blobCount, problems: report.problems.map(Problem.init),
      problemCount: report.problemCount)
  }
}

extension Realm.CheckReport.Problem {
  fileprivate init(_ problem: StoreCheck.Problem) {
    kind =
      switch problem.kind {
      case .damagedPage: .page
      case .damagedClass, .unknownID: .schema
      case .damagedRow, .badChecksum, .wrongValue, .strayRow: .object
      case .missingIndexEntry, .strayIndexEntry: .index
      case .danglingLink, .missingBacklink, .strayBacklink: .link
      case .orphan, .severalPlaces: .embeddedObject
      case .damagedCollection, .strayCollection, .wrongCount, .damagedList, .strayListNode,
        .damagedEntry, .strayEntry:
        .collection
      case .damagedBlob, .sharedBlob, .strayBlob: .blob
      }
    place = problem.place
    detail = problem.detail
  }
}
