import Foundation

/// Where a file of a collection is: its directory, one of 256, and its name.
///
/// One level of 256, as of Git's objects, has some 400 names a directory for the 100,000 objects that the engine is given
/// at most. A second level would make 65,536 directories for them, each with a block of its own to write.
struct FilePlace {
  let directory: UInt8
  let name: String

  /// The low byte of the id chooses the directory.
  init(_ id: Int) {
    directory = UInt8(truncatingIfNeeded: id)
    name = "\(id)"
  }

  /// A hash of the key chooses the directory. Every byte but letters, digits, `-` and `_` is escaped as in URLs, so that
  /// no key leaves its directory, is hidden, or is that of another.
  init(_ key: String) {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    var name = ""
    for byte in key.utf8 {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        name.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        name += "%" + Self.directoryNames[Int(byte)]
      }
    }
    directory = UInt8(truncatingIfNeeded: hash)
    self.name = name
  }

  /// Relative to the collection.
  var path: String { "\(directoryName)/\(name)" }

  var directoryName: String { Self.directoryNames[Int(directory)] }

  /// A name beside it that no other thread and no other process uses.
  func temporaryPath(_ number: Int) -> String {
    "\(directoryName)/.\(Self.process)-\(number)"
  }

  /// Names that begin so are no files of the collection.
  static let hiddenPrefix = CChar(bitPattern: UInt8(ascii: "."))

  private static let process = String(getpid(), radix: 36)

  /// Two hexadecimal digits each.
  static let directoryNames = (0..<256).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
}
