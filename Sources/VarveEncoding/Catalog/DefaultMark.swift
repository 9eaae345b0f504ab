package import Foundation

/// The values that stand for a default that has not been made yet.
///
/// A property whose default differs from object to object, such as `UUID()`, has the mark of its
/// type as the constant in the class record. A release of the program that does not know the
/// property stores the constant, so that a later release finds the objects that lack their default.
/// Bytes: Docs/Format.md, "Marks".
///
/// Each mark is a value that no program computes by chance. The marks never change, since they are
/// stored in files.
package enum DefaultMark {
  package static let integer = Int64(bitPattern: 0x9C3B_71E2_D84B_06A5)
  /// A subnormal number, which sorts like 0.
  package static let doubleBits: UInt64 = 0x0003_9A5C_71E2_D84B
  /// A subnormal number.
  package static let floatBits: UInt32 = 0x0035_A1C7
  /// The number of seconds since 2001 is that of ``doubleBits``.
  package static let dateBits = doubleBits
  package static let text = "varve:no-value:9c3b71e2d84b06a5"
  package static let data = Data(text.utf8)
  package static let uuid = UUID(
    uuid: (
      0x9C, 0x3B, 0x71, 0xE2, 0xD8, 0x4B, 0x86, 0xA5, 0x9F, 0x1E, 0x2D, 0x70, 0xC6, 0x4B, 0x8A, 0x35
    ))
  package static let objectId = ObjectIdBytes(high: 0x9C3B_71E2_D84B_06A5, low: 0x9F1E_2D70)
  /// 8317206594172635481907236451 × 10^-6147.
  package static let decimal =
    Decimal128Bits("8317206594172635481907236451E-6147") ?? .nan

  package static func isText(_ string: String?) -> Bool {
    guard let string, string.utf8.count == text.utf8.count else { return false }
    return string == text
  }

  package static func isData(_ bytes: Data?) -> Bool {
    guard let bytes, bytes.count == data.count else { return false }
    return bytes == data
  }

  /// Returns the mark of a type; nil for a type with too few values to have one, and for links.
  package static func value(for type: PropertyType) -> Value? {
    switch type {
    case .int64: .int(integer)
    case .float: .float(Float(bitPattern: floatBits))
    case .double: .double(Double(bitPattern: doubleBits))
    case .date: .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: dateBits)))
    case .string: .string(text)
    case .data: .data(data)
    case .uuid, .mixed: .uuid(uuid)
    case .objectId: .objectId(objectId)
    case .decimal128: .decimal(decimal)
    case .bool, .int8, .int16, .int32, .link: nil
    }
  }
}

extension StoredProperty {
  /// Whether rows may lack the default of the property, and contain the mark of its type instead.
  package var mayLackDefault: Bool {
    guard let addedConstant, !isPrimaryKey, kind.collection == .none else { return false }
    return DefaultMark.value(for: kind.type) == addedConstant
  }

  /// Whether a stored value is the mark of a default that has not been made yet.
  package func lacksDefault(_ value: Value) -> Bool {
    guard let addedConstant, addedConstant == value else { return false }
    return mayLackDefault
  }
}
