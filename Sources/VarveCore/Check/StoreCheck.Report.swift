import VarveStorage

extension StoreCheck {
  /// A problem, with its location.
  package struct Problem: Sendable, Hashable, CustomStringConvertible {
    package enum Kind: String, Sendable {
      case damagedPage
      case damagedClass, unknownID, foreignRecord
      case damagedRow, badChecksum, wrongValue, strayRow
      case missingIndexEntry, strayIndexEntry, damagedIndexEntry
      case danglingLink, missingBacklink, strayBacklink
      case orphan, severalParents
      case damagedCollection, strayCollection, wrongCount, damagedList, strayListNode
      case damagedEntry, strayEntry
      case damagedBlob, sharedBlob, strayBlob
    }

    package let kind: Kind
    /// The class, the object and the property, as far as they are known.
    package let place: String
    package let detail: String

    /// The location and the description, for the details of errors.
    package var text: String { "\(place): \(detail)" }

    package var description: String { "\(kind.rawValue) at \(text)" }
  }

  /// The result of a check.
  package struct Report: Sendable, CustomStringConvertible {
    /// The maximum number of listed problems. Further problems are only counted.
    package static let maximumProblems = 1_000

    package internal(set) var pageSize = 0
    /// The number of pages of the version, with the free ones and the two meta pages.
    package internal(set) var pageCount = 0
    /// The numbers of free pages, and of pages that are neither used nor free; nil if unknown. See
    /// `PageReport`.
    package internal(set) var freePageCount: Int?
    package internal(set) var leakedPageCount: Int?
    package internal(set) var classCount = 0
    package internal(set) var objectCount = 0
    package internal(set) var indexEntryCount = 0
    package internal(set) var backlinkCount = 0
    package internal(set) var collectionCount = 0
    package internal(set) var elementCount = 0
    package internal(set) var blobCount = 0
    package internal(set) var problems: [Problem] = []
    package internal(set) var problemCount = 0

    /// Adds the result of the check of the pages.
    mutating func note(_ pages: PageReport) {
      pageSize = pages.pageSize
      pageCount = pages.pageCount
      freePageCount = pages.freeCount
      leakedPageCount = pages.leakedCount
      problemCount += pages.damageCount
      let damages = pages.damages.map {
        Problem(
          kind: .damagedPage, place: $0.page.map { "page \($0)" } ?? "table", detail: $0.detail)
      }
      problems = Array((damages + problems).prefix(Self.maximumProblems))
    }

    package var isSound: Bool { problemCount == 0 }

    package var description: String {
      let head =
        "\(classCount) classes, \(objectCount) objects, \(indexEntryCount) index entries, "
        + "\(backlinkCount) backlinks, \(collectionCount) collections with \(elementCount) "
        + "elements, \(blobCount) blobs, \(problemCount) problems"
      return ([head] + problems.prefix(20).map { "- \($0)" }).joined(separator: "\n")
    }
  }
}
