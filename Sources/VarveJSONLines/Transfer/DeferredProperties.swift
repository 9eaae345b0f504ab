import Foundation
import VarveCore

/// A property that is set after all objects have been read.
struct DeferredProperty {
  var line: Int
  var classID: UInt32
  var objectID: UInt64
  var propertyID: UInt32
  /// The JSON text of the value.
  var text: [UInt8]
}

/// Deferred properties, kept in an unlinked file.
///
/// The file is in the directory of the store, which has room for it; `/tmp` may be memory.
///
/// Thread safety: none.
final class DeferredProperties {
  private static let headBytes = 32

  private let directory: String?
  private var file: UnsafeMutablePointer<FILE>?

  /// - Parameter directory: The directory of the file, or nil for the system's temporary directory.
  init(directory: String?) { self.directory = directory }

  deinit { if let file { fclose(file) } }

  /// - Throws: `.fileAccess`, or `.outOfDiskSpace`.
  func append(_ property: DeferredProperty) throws(Failure) {
    if file == nil { file = make() }
    guard let file else { throw failure() }
    var head: [UInt8] = []
    func add(_ number: UInt64, _ count: Int) {
      for index in 0..<count { head.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * index))) }
    }
    add(UInt64(property.line), 8)
    add(property.objectID, 8)
    add(UInt64(property.classID), 4)
    add(UInt64(property.propertyID), 4)
    add(UInt64(property.text.count), 8)
    guard fwrite(head, 1, head.count, file) == head.count,
      fwrite(property.text, 1, property.text.count, file) == property.text.count
    else { throw failure() }
  }

  private func make() -> UnsafeMutablePointer<FILE>? {
    guard let directory else { return tmpfile() }
    var name = Array("\(directory)/varve-import-XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    // Programs that this process starts must not inherit it.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    unlink(name)
    guard let file = fdopen(descriptor, "w+") else {
      close(descriptor)
      return nil
    }
    return file
  }

  /// Calls `body` with each property, in the order they were appended.
  ///
  /// - Throws: `.fileAccess`, or any error thrown by `body`.
  func forEach(_ body: (DeferredProperty) throws -> Void) throws {
    guard let file else { return }
    guard fflush(file) == 0, fseek(file, 0, SEEK_SET) == 0 else { throw failure() }
    while let head = try read(Self.headBytes, file) {
      func number(_ start: Int, _ count: Int) -> UInt64 {
        (0..<count).reduce(0) { $0 | UInt64(head[start + $1]) << UInt64(8 * $1) }
      }
      guard let text = try read(Int(number(24, 8)), file) else { throw failure() }
      try body(
        DeferredProperty(
          line: Int(number(0, 8)), classID: UInt32(number(16, 4)), objectID: number(8, 8),
          propertyID: UInt32(number(20, 4)), text: text))
    }
  }

  /// - Returns: nil at the end of the file.
  private func read(
    _ count: Int, _ file: UnsafeMutablePointer<FILE>
  ) throws(Failure) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    let got = fread(&bytes, 1, count, file)
    if got == 0, count > 0, feof(file) != 0 { return nil }
    guard got == count else { throw failure() }
    return bytes
  }

  private func failure() -> Failure {
    let number = errno
    var failure = Failure(
      number == ENOSPC ? .outOfDiskSpace : .fileAccess,
      "The temporary file for forward links cannot be used.")
    failure.underlyingCode = number
    return failure
  }
}
