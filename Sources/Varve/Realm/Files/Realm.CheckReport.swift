import VarveCore

extension Realm {
  /// The result of `check()` for a version of a store.
  ///
  /// Unstable: a minor release before 1.0 may change this type.
  public struct CheckReport: Sendable, Hashable {
    /// An inconsistency that the check found.
    public struct Problem: Sendable, Hashable, CustomStringConvertible {
      /// The subject of a problem.
      public enum Kind: String, Sendable, CaseIterable {
        /// A page of the file: its contents, or its position in a tree.
        case page
        /// A class, a property or an index in the file's schema.
        case schema
        /// The row of an object, or one of its values.
        case object
        /// An index entry that is missing, or that no object requires.
        case index
        /// A link to a missing object, or a link or backlink without its counterpart.
        case link
        /// An embedded object without a parent, or with several.
        case embeddedObject
        /// A list, a set, a map, or an element of one.
        case collection
        /// A value of more than 512 bytes, which is stored outside its object or collection.
        case blob
      }

      /// The subject of the problem.
      public let kind: Kind

      /// The location of the problem: the class, the object and the property, as far as they are
      /// known.
      public let place: String

      /// A description of the problem.
      public let detail: String

      /// The kind, the location and the description, in one line.
      public var description: String { "\(kind.rawValue): \(place): \(detail)" }
    }

    /// The number of pages of the version, including free pages.
    public let pageCount: Int

    /// The number of bytes of a page.
    public let pageSize: Int

    /// The number of pages that the next commits can reuse, at the latest when no older version is
    /// pinned. Nil for a frozen realm whose version is not the newest one.
    public let freePageCount: Int?

    /// The number of pages that are neither used nor free.
    ///
    /// Such pages waste space, harm no data, and are not a problem. A copy of the store keeps them
    /// and the free pages, and the file cannot be compacted. A salvage, or an export and an import,
    /// makes a store without them. Nil when ``freePageCount`` is nil, and when a page is damaged,
    /// because the pages below it are then unknown.
    public let leakedPageCount: Int?

    /// The number of classes.
    public let classCount: Int

    /// The number of objects, including embedded objects.
    public let objectCount: Int

    /// The number of index entries. Each word of a text counts in a full-text index.
    public let indexEntryCount: Int

    /// The number of links. Several links from one object through one property to the same object
    /// count once.
    public let linkCount: Int

    /// The number of lists, sets and maps that are in use, including those in mixed values.
    public let collectionCount: Int

    /// The number of elements of the collections.
    public let elementCount: Int

    /// The number of values of more than 512 bytes.
    public let blobCount: Int

    /// The problems, at most the first 1,000.
    public let problems: [Problem]

    /// The number of all problems.
    public let problemCount: Int

    /// The number of bytes of the version, including free pages.
    public var byteCount: Int { pageCount * pageSize }

    /// Whether the check found no problems.
    public var isSound: Bool { problemCount == 0 }
  }
}

extension Realm.CheckReport: CustomStringConvertible {
  /// The counts of pages and of checked items, and one line for each problem.
  public var description: String {
    let pages = [
      "\(pageCount.text("page")) of \(pageSize) bytes", freePageCount.map { "\($0) free" },
      leakedPageCount.flatMap { $0 == 0 ? nil : "\($0) leaked" },
    ]
    let collections = collectionCount.text("collection")
    let checked = [
      classCount.text("class", "classes"), objectCount.text("object"),
      indexEntryCount.text("index entry", "index entries"), linkCount.text("link"),
      "\(collections) of \(elementCount.text("element"))", blobCount.text("blob"),
    ]
    var lines = [pages.compactMap(\.self), checked].map { $0.joined(separator: ", ") }
    lines += problems.map(\.description)
    if problemCount > problems.count { lines.append("\(problemCount - problems.count) more") }
    return lines.joined(separator: "\n")
  }
}

extension Realm.CheckReport {
  init(_ report: StoreCheck.Report) {
    self.init(
      pageCount: report.pageCount, pageSize: report.pageSize, freePageCount: report.freePageCount,
      leakedPageCount: report.leakedPageCount,
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
      case .damagedClass, .unknownID, .foreignRecord: .schema
      case .damagedRow, .badChecksum, .wrongValue, .strayRow: .object
      case .missingIndexEntry, .strayIndexEntry, .damagedIndexEntry: .index
      case .danglingLink, .missingBacklink, .strayBacklink: .link
      case .orphan, .severalParents: .embeddedObject
      case .damagedCollection, .strayCollection, .wrongCount, .damagedList, .strayListNode,
        .damagedEntry, .strayEntry:
        .collection
      case .damagedBlob, .sharedBlob, .strayBlob: .blob
      }
    place = problem.place
    detail = problem.detail
  }
}
