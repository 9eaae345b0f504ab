/// An error of the storage layer: a code, and its circumstances.
///
/// The text in `detail` is constant, so that logs group; the variables are in the other fields.
package struct StorageError: Error, Sendable, Hashable {
  package let code: Code

  /// The path of the file.
  package var path: String?

  /// The result of liblmdb, when the error came from there.
  package var lmdbCode: Int32?

  /// The errno of the operating system, when the error came from there.
  package var errno: Int32?

  /// A constant sentence.
  package var detail: String

  /// The process that holds the lock (`busy`).
  package var pid: Int32?

  /// When that process acquired the lock, in seconds since 1970 (`busy`).
  package var since: Double?

  /// The damaged page (`corrupted`).
  package var page: UInt64?

  package init(
    _ code: Code, _ detail: StaticString = "", path: String? = nil, lmdbCode: Int32? = nil,
    errno: Int32? = nil, pid: Int32? = nil, since: Double? = nil, page: UInt64? = nil
  ) {
    self.code = code
    self.detail = detail.description
    self.path = path
    self.lmdbCode = lmdbCode
    self.errno = errno
    self.pid = pid
    self.since = since
    self.page = page
  }

  /// Returns the error with an internal path replaced by one that the caller knows.
  func telling(_ path: String, insteadOf other: String) -> StorageError {
    var error = self
    if error.path == other { error.path = path }
    return error
  }
}

extension StorageError: CustomStringConvertible {
  package var description: String {
    var text = "\(code)"
    if !detail.isEmpty { text += ": \(detail)" }
    if let path { text += " (path: \(path))" }
    if let lmdbCode { text += " (LMDB: \(lmdbCode), \(Engine.message(of: lmdbCode)))" }
    if let errno { text += " (errno: \(errno))" }
    if let pid { text += " (pid: \(pid))" }
    if let since { text += " (since: \(since))" }
    if let page { text += " (page: \(page))" }
    return text
  }
}
