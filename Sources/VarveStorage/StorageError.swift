/// What goes wrong in storage: a code, and what is known about the circumstances.
///
/// The text in `detail` is constant, so that logs group; the variables are in the other fields.
///
/// Thread safety: a value.
package struct StorageError: Error, Sendable, Hashable {
  package let code: Code

  /// The file concerned.
  package var path: String?

  /// What liblmdb returned, when the error came from there.
  package var lmdbCode: Int32?

  /// What the operating system reported, when the error came from there.
  package var errno: Int32?

  /// A constant sentence.
  package var detail: String

  /// The process that stands in the way (`busy`).
  package var pid: Int32?

  /// Since when that process has been holding the lock, in seconds since 1970 (`busy`).
  package var since: Double?

  /// The page that is not what it must be (`corrupted`).
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

  /// The error, with another path in the place of one that the caller knows nothing of.
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
