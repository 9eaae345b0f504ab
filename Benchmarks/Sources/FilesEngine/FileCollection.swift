import BenchmarkKit
import Foundation
import Synchronization

/// Files of one kind in separate directories.
///
/// A file is written under a temporary name next to the old one and renamed, so that a reader sees
/// either the old or the new contents. A reader has no snapshot: it sees the current files.
///
/// Thread safety: all methods can be called from any thread. When two threads or processes write
/// the same file, the last one wins.
final class FileCollection: Sendable {
  let path: String
  let durability: Durability

  /// Whether the directories exist. They are created by the first write.
  private let isMade = Mutex(false)
  private let temporaries = Atomic(0)

  init(_ name: String, in directory: URL, _ durability: Durability) {
    path = directory.appendingPathComponent(name).path
    self.durability = durability
  }

  /// Writes one file. With full durability, the file is on the disk when the method returns.
  func write(_ bytes: UnsafeRawBufferPointer, to location: FileLocation) throws {
    let directory = try openForWriting()
    let temporary = try writeTemporary(bytes, location, in: directory, isSynchronised: isDurable)
    try FileSystemCalls.rename(temporary, to: location.path, in: directory.descriptor)
    try synchronise(location, in: directory)
  }

  /// Writes one file whose name must be free, like ``write(_:to:)`` but with a link instead of the
  /// rename.
  func create(_ bytes: UnsafeRawBufferPointer, at location: FileLocation) throws {
    let directory = try openForWriting()
    let temporary = try writeTemporary(bytes, location, in: directory, isSynchronised: isDurable)
    try FileSystemCalls.link(temporary, to: location.path, in: directory.descriptor)
    try FileSystemCalls.unlink(temporary, in: directory.descriptor)
    try synchronise(location, in: directory)
  }

  /// Appends to an existing file. A power failure may leave a part of the appended bytes.
  func append(_ bytes: UnsafeRawBufferPointer, to location: FileLocation) throws {
    let directory = try openForWriting()
    let file = try FileSystemCalls.open(
      location.path, in: directory.descriptor, O_WRONLY | O_APPEND)
    try FileSystemCalls.write(bytes, to: file)
    if isDurable { try FileSystemCalls.synchronise(file) }
  }

  func delete(_ location: FileLocation) throws {
    let directory = try openForWriting()
    try FileSystemCalls.unlink(location.path, in: directory.descriptor)
    try synchronise(location, in: directory)
  }

  /// Reads one file into newly allocated memory; nil when there is no such file.
  func read(_ location: FileLocation) throws -> Data? {
    guard let file = try FileSystemCalls.openIfThere("\(path)/\(location.path)", O_RDONLY) else {
      return nil
    }
    var content = Data(count: try FileSystemCalls.length(of: file))
    let count = try content.withUnsafeMutableBytes {
      try FileSystemCalls.read(file, into: $0)
    }
    return content.prefix(count)
  }

  var isDurable: Bool { durability == .full }

  /// Writes the content of a file under a temporary name next to it.
  ///
  /// - Returns: The path of the temporary file, relative to the collection.
  /// - Throws: ``BenchmarkError``.
  func writeTemporary(
    _ bytes: UnsafeRawBufferPointer, _ location: FileLocation, in directory: borrowing OpenFile,
    isSynchronised: Bool
  ) throws -> String {
    let number = temporaries.wrappingAdd(1, ordering: .relaxed).newValue
    let path = location.temporaryPath(number)
    let file = try FileSystemCalls.open(
      path, in: directory.descriptor, O_WRONLY | O_CREAT | O_EXCL)
    try FileSystemCalls.write(bytes, to: file)
    if isSynchronised { try FileSystemCalls.synchronise(file) }
    return path
  }

  private func synchronise(_ location: FileLocation, in directory: borrowing OpenFile) throws {
    guard isDurable else { return }
    try FileSystemCalls.synchroniseDirectory(location.directoryName, in: directory.descriptor)
  }

  /// The collection's directory; nil when nothing has been written.
  func openForReading() throws -> OpenFile? {
    try FileSystemCalls.openIfThere(path, O_RDONLY | O_DIRECTORY)
  }

  /// The collection's directory, with its 256 directories.
  func openForWriting() throws -> OpenFile {
    try isMade.withLock { isMade in
      if !isMade { try make() }
      isMade = true
    }
    return try FileSystemCalls.open(path, O_RDONLY | O_DIRECTORY)
  }

  /// Creates all directories under a temporary name and renames them, so that another process sees
  /// either all or none.
  private func make() throws {
    guard try openForReading() == nil else { return }
    let beside = "\(path).\(getpid())"
    try FileSystemCalls.makeDirectory(beside)
    for name in FileLocation.directoryNames {
      try FileSystemCalls.makeDirectory("\(beside)/\(name)")
    }
    if isDurable {
      try FileSystemCalls.synchroniseFileSystem(
        of: FileSystemCalls.open(beside, O_RDONLY | O_DIRECTORY))
    }
    do {
      try FileSystemCalls.rename(beside, to: path, in: AT_FDCWD)
    } catch {
      // Another process may have been first. The temporary directories are empty.
      guard try openForReading() != nil else { throw error }
      try FileManager.default.removeItem(atPath: beside)
    }
    if isDurable {
      try FileSystemCalls.synchroniseDirectory(
        URL(fileURLWithPath: path).deletingLastPathComponent().path)
    }
  }
}
