import Foundation
import VarveCore

/// A place in the order of sorted objects, after which the next page begins.
///
/// ```swift
/// let cursor = PageCursor(query["after"] ?? "")
/// let page = try people.sorted(by: \.name).page(after: cursor, count: 50)
/// ```
/// A cursor is created by ``RealmCollection/cursor(of:)`` and remains valid when its object is
/// changed or deleted, in other processes, and after the store is closed. Its text consists of
/// letters, digits, `-` and `_`, and may be part of a URL; it is about 4/3 times as long as the
/// sort values. A cursor is neither encrypted nor signed: its text reveals the sort values of its
/// object, and a client can make one that begins elsewhere.
///
/// Cursors identify objects by their ids in the store. A copy or a backup has the same ids, a store
/// that was exported and imported may have others.
public struct PageCursor: Hashable, Sendable {
  let position: ResultsPosition

  init(_ position: ResultsPosition) { self.position = position }
}

extension PageCursor: LosslessStringConvertible {
  /// Reads the text of a cursor. Returns nil for any other text, and for one that was changed or
  /// cut.
  public init?(_ description: String) {
    guard description.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "/") })
    else { return nil }
    let text = description.replacing("-", with: "+").replacing("_", with: "/")
    let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    guard !text.utf8.contains(UInt8(ascii: "=")), let data = Data(base64Encoded: text + padding),
      let position = ResultsPosition(encoded: Array(data))
    else { return nil }
    self.position = position
    // Texts that differ only in unused bits are not the same text.
    guard self.description == description else { return nil }
  }

  /// The text of the cursor, in base64url.
  public var description: String {
    Data(position.encoded).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }
}

extension PageCursor: Codable {
  /// Decodes the text of a cursor.
  ///
  /// - Throws: `DecodingError.dataCorrupted` for any other text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let cursor = PageCursor(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "The text is not a page cursor.")
    }
    self = cursor
  }

  /// Encodes the text of the cursor.
  ///
  /// - Throws: The errors of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
