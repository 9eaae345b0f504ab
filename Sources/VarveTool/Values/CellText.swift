import Foundation
import VarveCore
import VarveEncoding

/// The text of values for people: on one line, and at most some hundred characters long.
/// Collections are their numbers of elements, links the keys of their objects.
///
/// Thread safety: a value; use it from one thread.
struct CellText {
  /// The maximum number of characters.
  private static let maximumLength = 200
  /// The maximum number of bytes of a string that is read; longer ones are shown as their sizes.
  private static let maximumTextBytes = 64 << 10

  private let values: ReportedValues
  private let file: FileSchema
  private var plain: ValueText

  init(_ version: StoreVersion) {
    values = ReportedValues(version.schema, version.snapshot)
    file = version.schema
    plain = ValueText(version)
  }

  /// Returns the text of a value.
  ///
  /// - Throws: A `Failure` with `.corrupted`.
  mutating func text(of cell: Cell) throws -> String {
    let text: String
    switch cell {
    case .value(.data(let data), _): text = Quantity.bytes(data.count)
    case .blob(.blob(let reference, let type), _)
    where type == .data || reference.byteCount > Self.maximumTextBytes:
      let size = Quantity.bytes(Int(reference.byteCount))
      text = type == .data ? size : "\(size) of text"
    case .value(.link(let classID, let id), _)
    where file.schema(ofClass: classID)?.record.isEmbedded != true:
      text = try values.link(classID, id).text
    case .value(.nested(let kind, _), _): text = "a \(kind)"
    case .collection(let content, _): text = CollectionSummary(count: content.count).text
    default: text = try plain.text(of: cell)
    }
    let isLong = text.utf8.count > Self.maximumLength && text.width > Self.maximumLength
    return (isLong ? String(text.prefix(Self.maximumLength - 1)) + "…" : text).printable
  }
}
