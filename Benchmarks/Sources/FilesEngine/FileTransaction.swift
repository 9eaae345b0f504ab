import BenchmarkKit
import Foundation

/// Files that are written together and share the waits for the disk.
///
/// All files are written under temporary names, one `syncfs` flushes the file system, all files are
/// renamed, and a second `syncfs` flushes the names. This is the fastest way to have many files on
/// the disk when ``commit()`` returns: an `fsync` of each file waits for the disk once per file. It
/// is not atomic: after a power failure between the renames some files are new and some are old,
/// and readers see them one by one. Files offer no stronger guarantee.
///
/// Without durability the files are written under temporary names and renamed too, but nothing
/// waits.
struct FileTransaction: ~Copyable {
  private let collection: FileCollection
  private let directory: OpenFile
  private var files: [(temporary: String, location: FileLocation)] = []

  init(_ collection: FileCollection) throws {
    self.collection = collection
    directory = try collection.openForWriting()
  }

  /// Writes a file's content.
  mutating func write(_ bytes: UnsafeRawBufferPointer, to location: FileLocation) throws {
    let temporary = try collection.writeTemporary(
      bytes, location, in: directory, isSynchronised: false)
    files.append((temporary, location))
  }

  /// Renames the files to their final names.
  consuming func commit() throws {
    if collection.isDurable { try FileSystemCalls.synchroniseFileSystem(of: directory) }
    for file in files {
      try FileSystemCalls.rename(file.temporary, to: file.location.path, in: directory.descriptor)
    }
    if collection.isDurable { try FileSystemCalls.synchroniseFileSystem(of: directory) }
  }
}

extension FileCollection {
  /// Appends to a file for each element. One `syncfs` flushes the appends of a transaction, of which
  /// a power failure may leave a part.
  ///
  /// - Parameters:
  ///   - perTransaction: The number of appends in a transaction.
  ///   - content: Returns the file and the bytes for an element.
  /// - Throws: ``BenchmarkError``.
  func append<Element>(
    to elements: [Element], perTransaction: Int, _ content: (Element) -> (FileLocation, Data)
  ) throws {
    let directory = try openForWriting()
    for (number, element) in elements.enumerated() {
      let (location, bytes) = content(element)
      let file = try FileSystemCalls.open(
        location.path, in: directory.descriptor, O_WRONLY | O_APPEND)
      try bytes.withUnsafeBytes { try FileSystemCalls.write($0, to: file) }
      let isLast = (number + 1) % perTransaction == 0 || number + 1 == elements.count
      if isLast, isDurable { try FileSystemCalls.synchroniseFileSystem(of: directory) }
    }
  }

  /// Writes a file for each element, with a number of files per transaction. A single file does not
  /// need a `syncfs`.
  ///
  /// - Parameters:
  ///   - perTransaction: The number of files in a transaction.
  ///   - write: Receives each element and a closure that writes its file.
  /// - Throws: ``BenchmarkError``; any error of the closure.
  func write<Element>(
    _ elements: some RandomAccessCollection<Element>, perTransaction: Int,
    _ write: (Element, _ writeFile: (UnsafeRawBufferPointer, FileLocation) throws -> Void) throws ->
      Void
  ) throws {
    if perTransaction == 1 {
      for element in elements { try write(element) { try self.write($0, to: $1) } }
      return
    }
    var rest = elements[...]
    while !rest.isEmpty {
      let some = rest.prefix(perTransaction)
      rest = rest.dropFirst(some.count)
      var transaction = try FileTransaction(self)
      for element in some { try write(element) { try transaction.write($0, to: $1) } }
      try transaction.commit()
    }
  }
}
