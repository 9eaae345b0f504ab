import Foundation

/// The location of a file of a collection: its directory, one of 256, and its name.
///
/// One level of 256 directories, like that of Git's objects, has about 400 names per directory for
/// the maximum of 100,000 objects that the engine gets. A second level would need 65,536
/// directories, each with a separate block to write.
struct FileLocation {
  let directory: UInt8
  let name: String

  /// The low byte of the id selects the directory.
  init(_ id: Int) {
    directory = UInt8(truncatingIfNeeded: id)
    name = "\(id)"
  }

  /// A hash of the key selects the directory. Every byte except letters, digits, `-` and `_` is
  /// escaped as in URLs, so that no key leaves its directory, is hidden, or is equal to another.
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

  /// The path relative to the collection.
  var path: String { "\(directoryName)/\(name)" }

  var directoryName: String { Self.directoryNames[Int(directory)] }

  /// A name in the same directory that no other thread and no other process uses.
  func temporaryPath(_ number: Int) -> String {
    "\(directoryName)/.\(Self.process)-\(number)"
  }

  /// Names with this prefix are not files of the collection.
  static let hiddenPrefix = CChar(bitPattern: UInt8(ascii: "."))

  private static let process = String(getpid(), radix: 36)

  /// The names of the directories: two hexadecimal digits each.
  static let directoryNames = (0..<256).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
}
