import VarveEncoding
import VarveStorage

@testable import VarveCore

// Tests of trees and differences identify collections by their ids alone.

extension CollectionContent {
  fileprivate init(_ id: UInt64) { self.init(CollectionSlot(id: id, revision: 0, count: 0)) }
}

extension ListDirectory {
  convenience init(
    listID: UInt64, snapshot: Snapshot, format: ListElementFormat, retainsSnapshot: Bool = true
  ) {
    self.init(
      CollectionContent(listID), isNested: true, snapshot: snapshot, format: format,
      retainsSnapshot: retainsSnapshot)
  }
}

extension ListEditor {
  convenience init(listID: UInt64, transaction: WriteTransaction, format: ListElementFormat) {
    self.init(
      CollectionContent(listID), transaction: transaction, format: format)
  }
}

extension ListTreeCheck {
  static func run(listID: UInt64, format: ListElementFormat, in snapshot: Snapshot) -> Report {
    run(CollectionContent(listID), format: format, in: snapshot)
  }
}

extension ListDifference {
  init(listID: UInt64, format: ListElementFormat, links: ListLinks? = nil) {
    self.init(from: listID, to: listID, format: format, links: links)
  }

  init(from old: UInt64, to new: UInt64, format: ListElementFormat, links: ListLinks? = nil) {
    self.init(
      from: CollectionContent(old), to: CollectionContent(new), format: format, links: links)
  }
}

extension MapDifference {
  init(mapID: UInt64) { self.init(from: mapID, to: mapID) }

  init(from old: UInt64, to new: UInt64) {
    self.init(from: CollectionContent(old), to: CollectionContent(new))
  }
}

extension ListNodeReader {
  init(listID: UInt64, format: ListElementFormat, snapshot: Snapshot) {
    self.init(CollectionContent(listID), format: format, snapshot: snapshot)
  }
}
