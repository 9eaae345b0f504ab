import Glibc

/// The list of the mappings of this process, as reported by the system.
///
/// Thread safety: one thread at a time.
struct ProcessMaps: ~Copyable {
  private let file: OpenFile

  /// Opens the list; nil if it is unavailable.
  init?() {
    do throws(StorageError) {
      file = try OpenFile(path: Self.path, flags: O_RDONLY)
    } catch {
      return nil
    }
  }

  /// Returns the address at which the beginning of a file is mapped.
  ///
  /// - Parameters:
  ///   - path: The path of the file, as the system reports it.
  ///   - byteCount: The number of bytes that must be mapped.
  /// - Returns: The first address; nil when there is none, or the list cannot be read.
  /// - Complexity: O(mappings of the process).
  func address(ofFile path: String, byteCount: Int) -> UInt? {
    let name = path.split(separator: "\n", omittingEmptySubsequences: false)
      .joined(separator: "\\012")
    return first {
      $0.offset == 0 && $0.end - $0.start >= UInt(byteCount) && $0.name == name
    }?.start
  }

  private func first(where isWanted: (Mapping) -> Bool) -> Mapping? {
    var rest: [UInt8] = []
    var offset = 0
    while true {
      let chunk = readChunk(at: offset)
      guard !chunk.isEmpty else { return nil }
      offset += chunk.count
      rest += chunk
      guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { continue }
      for line in rest[..<end].split(separator: UInt8(ascii: "\n")) {
        if let mapping = Mapping(line: line), isWanted(mapping) { return mapping }
      }
      rest.removeSubrange(...end)
    }
  }

  private func readChunk(at offset: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 16 << 10) { buffer, count in
      do throws(StorageError) {
        count = try file.read(UnsafeMutableRawBufferPointer(buffer), at: offset, path: Self.path)
      } catch {
        // The caller then reports that nothing was found.
        count = 0
      }
    }
  }

  private static let path = "/proc/self/maps"
}

/// One line of the list: the address range, and the mapped part of a file.
private struct Mapping {
  let start: UInt
  let end: UInt
  let offset: UInt
  private let rest: ArraySlice<UInt8>

  /// The path of the file, with a line feed escaped as \\012; empty for anonymous memory.
  var name: String {
    // The name follows the device and the inode.
    let fields = rest.split(separator: UInt8(ascii: " "), maxSplits: 2)
    return fields.count == 3
      ? String(decoding: fields[2].drop { $0 == UInt8(ascii: " ") }, as: UTF8.self) : ""
  }

  /// Reads “7f0000000000-7f0000100000 r--s 00000000 fe:00 1234 /path”.
  init?(line: ArraySlice<UInt8>) {
    let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 3)
    guard fields.count == 4 else { return nil }
    let bounds = fields[0].split(separator: UInt8(ascii: "-"))
    guard bounds.count == 2, let start = Self.number(bounds[0]), let end = Self.number(bounds[1]),
      let offset = Self.number(fields[2])
    else { return nil }
    self.start = start
    self.end = end
    self.offset = offset
    rest = fields[3]
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> UInt? {
    UInt(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}
