import BenchmarkKit
import Foundation

/// Files that are written together, and share the waiting for the disk.
///
/// All are written beside under temporary names, one `syncfs` brings the file system to the disk, all are renamed, and one
/// more `syncfs` brings the names there. That is the fastest way to have many files on the disk when ``commit()`` returns:
/// `fsync` of each waits for the disk as often as there are files. It is not atomic: after a power cut between the
/// renamings some files are new and some are old, and readers see them one by one. Files offer no better.
///
/// Without durability files are written beside and renamed just the same, and nothing waits.
struct FileTransaction: ~Copyable {
  private let collection: FileCollection
  private let directory: OpenFile
  private var files: [(temporary: String, place: FilePlace)] = []

  init(_ collection: FileCollection) throws {
    self.collection = collection
    directory = try collection.openForWriting()
  }

  /// Writes a file's content.
  mutating func write(_ bytes: UnsafeRawBufferPointer, to place: FilePlace) throws {
    let temporary = try collection.writeTemporary(
      bytes, place, in: directory, isSynchronised: false)
    files.append((temporary, place))
  }

  /// Puts the files where they belong.
  consuming func commit() throws {
    if collection.isDurable { try FileSystemCalls.synchroniseFileSystem(of: directory) }
    for file in files {
      try FileSystemCalls.rename(file.temporary, to: file.place.path, in: directory.descriptor)
    }
    if collection.isDurable { try FileSystemCalls.synchroniseFileSystem(of: directory) }
  }
}

extension FileCollection {
  /// Writes a file for each element, so many in a transaction; one alone is not worth a `syncfs`.
  ///
  /// - Parameters:
  ///   - elements: What to write.
  ///   - perTransaction: How many share a transaction.
  ///   - write: Is given each element, and what writes its file.
  /// - Throws: ``BenchmarkError``; what the closure throws.
  func write<Element>(
    _ elements: some RandomAccessCollection<Element>, perTransaction: Int,
    _ write: (Element, _ writeFile: (UnsafeRawBufferPointer, FilePlace) throws -> Void) throws ->
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
