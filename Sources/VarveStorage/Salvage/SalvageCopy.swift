import CVarve
import Glibc

/// Copies a file that may not be readable everywhere.
package enum SalvageCopy {
  /// Reads bytes at an offset like `pread`: returns their number, or -1 with an error in `errno`.
  package typealias Read = (Int32, UnsafeMutableRawPointer, Int, Int) -> Int

  /// The size of a block whose bytes are given up together.
  private static let blockSize = 4096
  /// The size of a block that is not written when all its bytes are zero.
  private static let writtenBlockSize = 64 << 10

  /// `SEEK_DATA` of Linux, which the module of the C library lacks.
  private static let seekData: Int32 = 3

  /// Copies a file with `pread`. Blocks that cannot be read become zeros.
  ///
  /// The file is never mapped: an unreadable page of a mapped file would end the process. Blocks of
  /// zeros are not written, so that the holes of a sparse file need no space in the copy.
  ///
  /// - Parameters:
  ///   - source: The file, which is not changed.
  ///   - target: The path of the copy. No file may exist there.
  ///   - read: Reads the file.
  ///   - progress: Begins with three times the bytes of the file, and counts them once.
  /// - Returns: The ranges of bytes that could not be read.
  /// - Throws: `alreadyOpen` when a process has the file open as a store, or has written to it
  ///   meanwhile, `cancelled`, or a system error of another kind.
  /// - Complexity: O(bytes).
  static func copy(
    _ source: String, to target: String, _ progress: WorkProgress, read: Read
  ) throws(StorageError) -> [Range<Int>] {
    let input = try OpenFile(path: source, flags: O_RDONLY)
    try checkUse(input.descriptor, source)
    let size = Int(try input.status(path: source).st_size)
    try progress.begin(total: 3 * size)
    let output = try OpenFile(path: target, flags: O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
    try StorageError.check(
      ftruncate(output.descriptor, off_t(size)) == 0, path: target,
      "The copy could not be written.")
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
    defer { buffer.deallocate() }
    var unreadable: [Range<Int>] = []
    var offset = 0
    while offset < size {
      offset = nextData(input.descriptor, offset, size)
      if offset >= size { break }
      let wanted = min(buffer.count, size - offset)
      let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
      if !fill(part, input.descriptor, at: offset, read) {
        fillBlocks(part, input.descriptor, at: offset, read, &unreadable)
      }
      try write(UnsafeRawBufferPointer(part), to: output, at: offset, path: target)
      offset += wanted
      try progress.advance(to: offset)
    }
    // A store that was opened meanwhile may have been written to.
    try checkUse(input.descriptor, source)
    try checkUnchanged(input, output, size, source, read)
    return unreadable
  }

  /// Returns the offset of the first bytes at or after an offset that are not in a hole of the file;
  /// the size if there are none. Holes are reported by some file systems only.
  private static func nextData(_ descriptor: Int32, _ offset: Int, _ size: Int) -> Int {
    let next = lseek(descriptor, off_t(offset), seekData)
    if next < 0 { return errno == ENXIO ? size : offset }
    return max(offset, Int(next) & ~(blockSize - 1))
  }

  /// Compares the size and the beginning of the file with the copy: each commit changes a meta page.
  private static func checkUnchanged(
    _ input: borrowing OpenFile, _ output: borrowing OpenFile, _ size: Int, _ path: String,
    _ read: Read
  ) throws(StorageError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: 2 * min(size, 2 * PageLayout.largestPage), alignment: 4096)
    defer { buffer.deallocate() }
    let middle = buffer.count / 2
    let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<middle])
    let copied = UnsafeMutableRawBufferPointer(rebasing: buffer[middle...])
    var unreadable: [Range<Int>] = []
    fillBlocks(part, input.descriptor, at: 0, read, &unreadable)
    let isWhole = fill(copied, output.descriptor, at: 0) { pread($0, $1, $2, off_t($3)) }
    guard isWhole, part.elementsEqual(copied),
      Int(try input.status(path: path).st_size) == size
    else {
      throw StorageError(
        .alreadyOpen, "The file was written to while it was copied.", path: path)
    }
  }

  /// Writes the blocks of a part of the copy that are not zeros.
  private static func write(
    _ part: UnsafeRawBufferPointer, to output: borrowing OpenFile, at offset: Int, path: String
  ) throws(StorageError) {
    for start in stride(from: 0, to: part.count, by: writtenBlockSize) {
      let end = min(start + writtenBlockSize, part.count)
      let block = UnsafeRawBufferPointer(rebasing: part[start..<end])
      if isZero(block) { continue }
      try StorageError.check(
        lseek(output.descriptor, off_t(offset + start), SEEK_SET) >= 0, path: path,
        "The copy could not be written.")
      try output.write(block, path: path)
    }
  }

  private static func isZero(_ block: UnsafeRawBufferPointer) -> Bool {
    guard let base = block.baseAddress, block[0] == 0 else { return false }
    // Each byte equals the one before it.
    return memcmp(base, base + 1, block.count - 1) == 0
  }

  /// Waits for up to two seconds while values of a closed store are held, or a process exits.
  private static func checkUse(_ descriptor: Int32, _ path: String) throws(StorageError) {
    for _ in 0..<200 {
      let result = varve_file_lock_find(descriptor, DataFile.useByte, nil)
      if result == 0 { return }
      if result != EAGAIN {
        try StorageError.check(result, path: path, "The locks of the file cannot be read.")
      }
      usleep(10_000)
    }
    throw StorageError(
      .alreadyOpen,
      "The file is open as a store; close it and release its values in all processes first.",
      path: path)
  }

  /// Reads a range of the file.
  ///
  /// - Returns: Whether all of it could be read.
  private static func fill(
    _ buffer: UnsafeMutableRawBufferPointer, _ descriptor: Int32, at offset: Int, _ read: Read
  ) -> Bool {
    guard let base = buffer.baseAddress else { return true }
    var done = 0
    while done < buffer.count {
      let count = read(descriptor, base + done, buffer.count - done, offset + done)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      done += count
    }
    return true
  }

  private static func fillBlocks(
    _ buffer: UnsafeMutableRawBufferPointer, _ descriptor: Int32, at offset: Int, _ read: Read,
    _ unreadable: inout [Range<Int>]
  ) {
    for start in stride(from: 0, to: buffer.count, by: blockSize) {
      let end = min(start + blockSize, buffer.count)
      let block = UnsafeMutableRawBufferPointer(rebasing: buffer[start..<end])
      if fill(block, descriptor, at: offset + start, read) { continue }
      block.initializeMemory(as: UInt8.self, repeating: 0)
      let range = offset + start..<offset + end
      if let last = unreadable.last, last.upperBound == range.lowerBound {
        unreadable[unreadable.count - 1] = last.lowerBound..<range.upperBound
      } else {
        unreadable.append(range)
      }
    }
  }
}
