import BenchmarkKit
import Foundation

/// Reads files of a collection into a buffer, which is reused for the next file. For one thread.
///
/// A file costs four system calls: `openat` of the collection's directory, which stays open,
/// `fstat`, `read` and `close`.
final class FileReader {
  private let directory: OpenDirectory?
  private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 14, alignment: 16)

  init(_ collection: FileCollection) throws {
    if let opened = try collection.openForReading() {
      directory = OpenDirectory(opened)
    } else {
      directory = nil
    }
  }

  deinit { buffer.deallocate() }

  /// Reads a file.
  ///
  /// - Parameter body: Receives the bytes, which are valid until it returns.
  /// - Returns: The result of the closure; nil when there is no such file.
  /// - Throws: ``BenchmarkError``; any error of the closure.
  func read<R>(_ location: FileLocation, _ body: (UnsafeMutableRawBufferPointer) throws -> R) throws
    -> R?
  {
    guard let directory = directory?.descriptor else { return nil }
    return try read(location.path, in: directory, body)
  }

  /// Reads all files, in the order of the directories.
  func readAll(_ body: (UnsafeMutableRawBufferPointer) throws -> Void) throws {
    guard let collection = directory?.descriptor else { return }
    for name in FileLocation.directoryNames {
      let opened = try FileSystemCalls.open(name, in: collection, O_RDONLY | O_DIRECTORY)
      // The stream owns and closes its descriptor.
      let descriptor = dup(opened.descriptor)
      guard descriptor >= 0, let stream = fdopendir(descriptor) else {
        throw FileSystemCalls.failure("fdopendir", name)
      }
      defer { closedir(stream) }
      while let entry = readdir(stream) {
        try withUnsafePointer(to: &entry.pointee.d_name) { tuple in
          let name = UnsafeRawPointer(tuple).assumingMemoryBound(to: CChar.self)
          guard name.pointee != FileLocation.hiddenPrefix else { return }
          _ = try read(name, in: opened.descriptor, body)
        }
      }
    }
  }

  private func read<R>(
    _ path: UnsafePointer<CChar>, in directory: Int32,
    _ body: (UnsafeMutableRawBufferPointer) throws -> R
  ) throws -> R? {
    guard let file = try FileSystemCalls.openIfThere(path, in: directory, O_RDONLY) else {
      return nil
    }
    let length = try FileSystemCalls.length(of: file)
    if length > buffer.count {
      buffer.deallocate()
      buffer = .allocate(byteCount: length, alignment: 16)
    }
    let count = try FileSystemCalls.read(
      file, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<length]))
    return try body(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
  }
}
