/// The encoding of a value part in a key.
package enum KeyForm: Sendable {
  /// The type is known from elsewhere: a presence byte, then the value.
  case typed
  /// The type is not known: a rank byte, then the value; numbers of all types share one order.
  case mixed
  /// A string that is never null: only its bytes and their end. Keys of dictionaries.
  case bare
}

/// The rank bytes of the mixed form: the order of values of different types.
///
/// Part of the file format. The gaps leave room for future types.
package enum KeyRank {
  package static let null: UInt8 = 0x10
  package static let bool: UInt8 = 0x20
  package static let number: UInt8 = 0x30
  package static let string: UInt8 = 0x40
  package static let data: UInt8 = 0x50
  package static let date: UInt8 = 0x60
  package static let objectId: UInt8 = 0x70
  @usableFromInline package static let uuid: UInt8 = 0x80
  package static let link: UInt8 = 0x90
  package static let list: UInt8 = 0xA0
  package static let dictionary: UInt8 = 0xB0
}
