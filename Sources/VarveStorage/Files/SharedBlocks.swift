import CVarve
import Glibc

/// The blocks of a file that processes change through a shared mapping, as they do with the lock
/// file and the signal file.
///
/// A store into the mapping that finds no block is a SIGBUS. All blocks are therefore allocated
/// before the file is mapped. File systems that copy a block when it is written need a new one all
/// the same: Btrfs, unless the file has an attribute that only an empty file can get, and others
/// for blocks that a clone or a snapshot shares.
enum SharedBlocks {
  /// Allocates the blocks of a file, unless it has them.
  ///
  /// A complete file is left alone, because a full disk may refuse even to allocate its blocks
  /// again.
  ///
  /// - Parameter detail: The error's description.
  /// - Throws: `diskFull`, or a system error.
  static func allocate(
    _ file: borrowing OpenFile, byteCount: Int, path: String, _ detail: StaticString
  ) throws(StorageError) {
    let status = try file.status(path: path)
    if status.st_size == 0 { varve_avoid_copies(file.descriptor) }
    guard Int(status.st_size) < byteCount || Int(status.st_blocks) * 512 < byteCount else { return }
    let result = posix_fallocate(file.descriptor, 0, off_t(byteCount))
    try StorageError.check(result == EOPNOTSUPP ? 0 : result, path: path, detail)
  }

  /// Whether a store into a mapping of the file may need a new block.
  static func areCopied(_ file: borrowing OpenFile) -> Bool {
    varve_copies_on_write(file.descriptor) != 0
  }

  /// Gives a file that no process uses blocks of its own, with the same content.
  ///
  /// - Throws: `diskFull`, or a system error. The file may then be empty.
  static func renew(_ file: borrowing OpenFile, path: String) throws(StorageError) {
    let size = Int(try file.status(path: path).st_size)
    let content = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 8)
    defer { content.deallocate() }
    let count = try file.read(content, at: 0, path: path)
    let isEmpty = ftruncate(file.descriptor, 0) == 0 && lseek(file.descriptor, 0, SEEK_SET) == 0
    try StorageError.check(isEmpty, path: path, "The file could not be emptied.")
    try allocate(file, byteCount: size, path: path, "The file could not be allocated.")
    try file.write(UnsafeRawBufferPointer(rebasing: content[..<count]), path: path)
  }
}
