import CTestFaults
import Foundation

/// A file operation of a recorded process, or a mark that it set.
struct FaultOperation {
  enum Kind: UInt16 {
    case open, write, sync, truncate, allocate, rename, unlink, map, mapSync
    case begin = 16
    case acknowledge, content, copied
  }

  let kind: Kind
  let flags: UInt16
  /// The errno of a failed operation; 0 otherwise.
  let error: Int32
  let path: String
  /// The new name, for a rename.
  let target: String
  /// The offset, size or number; see `fault_record`.
  let offset: Int
  let file: UInt64
  let bytes: ArraySlice<UInt8>

  var isDurable: Bool { flags & UInt16(fault_is_durable) != 0 }
  var isDirectory: Bool { flags & UInt16(fault_is_directory) != 0 }
  var isNew: Bool { flags & UInt16(fault_is_new) != 0 }
}

/// The operations of a process, in their order.
enum FaultLog {
  /// Reads the log of a process that has ended. An incomplete last record is ignored.
  static func read(path: String) throws -> [FaultOperation] {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    let headSize = MemoryLayout<fault_record>.size
    var operations: [FaultOperation] = []
    var position = 0
    while position + headSize <= bytes.count {
      let head = bytes.withUnsafeBytes {
        $0.loadUnaligned(fromByteOffset: position, as: fault_record.self)
      }
      let nameEnd = position + headSize + Int(head.path_length)
      let end = nameEnd + Int(head.byte_count)
      precondition(head.magic == UInt32(fault_record_magic), "The log is damaged.")
      guard end <= bytes.count, let kind = FaultOperation.Kind(rawValue: head.kind) else { break }
      let names = bytes[(position + headSize)..<nameEnd].split(separator: 0)
        .map { String(decoding: $0, as: UTF8.self) }
      operations.append(
        FaultOperation(
          kind: kind, flags: head.flags, error: head.error, path: names.first ?? "",
          target: names.count > 1 ? names[1] : "", offset: Int(head.offset), file: head.file,
          bytes: bytes[nameEnd..<end]))
      position = end
    }
    return operations
  }
}
