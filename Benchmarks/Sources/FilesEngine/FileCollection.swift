import BenchmarkKit
import Foundation
import Synchronization

/// Files of one kind in directories of their own.
///
/// A file is written beside under a temporary name and renamed, so that a reader sees it as it was or as it is. A reader has
/// no view: it sees what is there when it reads.
///
/// Thread safety: all may be called from any thread. Of two threads or processes that write the same file the last one wins.
final class FileCollection: Sendable {
  let path: String
  let durability: Durability

  /// Made when the collection is first written.
  private let isMade = Mutex(false)
  private let temporaries = Atomic(0)

  init(_ name: String, in directory: URL, _ durability: Durability) {
    path = directory.appendingPathComponent(name).path
    self.durability = durability
  }

  /// Writes one file; when this returns the disk has it, where the durability is full.
  func write(_ bytes: UnsafeRawBufferPointer, to place: FilePlace) throws {
    let directory = try openForWriting()
    let temporary = try writeTemporary(bytes, place, in: directory, isSynchronised: isDurable)
    try FileSystemCalls.rename(temporary, to: place.path, in: directory.descriptor)
    try synchronise(place, in: directory)
  }

  /// Writes one file whose name must be free: as ``write(_:to:)``, with a link in place of the renaming.
  func create(_ bytes: UnsafeRawBufferPointer, at place: FilePlace) throws {
    let directory = try openForWriting()
    let temporary = try writeTemporary(bytes, place, in: directory, isSynchronised: isDurable)
    try FileSystemCalls.link(temporary, to: place.path, in: directory.descriptor)
    try FileSystemCalls.unlink(temporary, in: directory.descriptor)
    try synchronise(place, in: directory)
  }

  /// Adds to a file that is there. After a power cut a part of what was added may be there.
  func append(_ bytes: UnsafeRawBufferPointer, to place: FilePlace) throws {
    let directory = try openForWriting()
    let file = try FileSystemCalls.open(
      place.path, in: directory.descriptor, O_WRONLY | O_APPEND)
    try FileSystemCalls.write(bytes, to: file)
    if isDurable { try FileSystemCalls.synchronise(file) }
  }

  func delete(_ place: FilePlace) throws {
    let directory = try openForWriting()
    try FileSystemCalls.unlink(place.path, in: directory.descriptor)
    try synchronise(place, in: directory)
  }

  /// Reads one file into memory of its own; nil when there is no such file.
  func read(_ place: FilePlace) throws -> Data? {
    guard let file = try FileSystemCalls.openIfThere("\(path)/\(place.path)", O_RDONLY) else {
      return nil
    }
    var content = Data(count: try FileSystemCalls.length(of: file))
    let count = try content.withUnsafeMutableBytes {
      try FileSystemCalls.read(file, into: $0)
    }
    return content.prefix(count)
  }

  var isDurable: Bool { durability == .full }

  /// Writes the content of a file beside it.
  ///
  /// - Returns: The path of what was written, relative to the collection.
  /// - Throws: ``BenchmarkError``.
  func writeTemporary(
    _ bytes: UnsafeRawBufferPointer, _ place: FilePlace, in directory: borrowing OpenFile,
    isSynchronised: Bool
  ) throws -> String {
    let number = temporaries.wrappingAdd(1, ordering: .relaxed).newValue
    let path = place.temporaryPath(number)
    let file = try FileSystemCalls.open(
      path, in: directory.descriptor, O_WRONLY | O_CREAT | O_EXCL)
    try FileSystemCalls.write(bytes, to: file)
    if isSynchronised { try FileSystemCalls.synchronise(file) }
    return path
  }

  private func synchronise(_ place: FilePlace, in directory: borrowing OpenFile) throws {
    guard isDurable else { return }
    try FileSystemCalls.synchroniseDirectory(place.directoryName, in: directory.descriptor)
  }

  /// The collection's directory; nil when nothing was ever written.
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

  /// Makes all directories beside and renames them, so that another process sees all or none.
  private func make() throws {
    guard try openForReading() == nil else { return }
    let beside = "\(path).\(getpid())"
    try FileSystemCalls.makeDirectory(beside)
    for name in FilePlace.directoryNames {
      try FileSystemCalls.makeDirectory("\(beside)/\(name)")
    }
    if isDurable {
      try FileSystemCalls.synchroniseFileSystem(
        of: FileSystemCalls.open(beside, O_RDONLY | O_DIRECTORY))
    }
    do {
      try FileSystemCalls.rename(beside, to: path, in: AT_FDCWD)
    } catch {
      // Another process may have been the first; what is beside is empty.
      guard try openForReading() != nil else { throw error }
      try FileManager.default.removeItem(atPath: beside)
    }
    if isDurable {
      try FileSystemCalls.synchroniseDirectory(
        URL(fileURLWithPath: path).deletingLastPathComponent().path)
    }
  }
}
