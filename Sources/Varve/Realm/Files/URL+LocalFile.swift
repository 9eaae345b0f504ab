package import Foundation
package import VarveCore

extension URL {
  /// Returns the path of the local file that the URL names, with each run of slashes collapsed into
  /// one.
  ///
  /// - Throws: `.fileAccess` for a URL of another scheme or host, and for a path with a NUL or with
  ///   invalid UTF-8, which would open another file.
  package func pathOfLocalFile() throws(Failure) -> String {
    let host = host(percentEncoded: false) ?? ""
    guard isFileURL, host.isEmpty || host == "localhost" else {
      throw Failure(
        .fileAccess, "The URL does not name a local file.",
        path: absoluteString)
    }
    guard let decoded = path(percentEncoded: true).removingPercentEncoding,
      !decoded.utf8.contains(0)
    else {
      throw Failure(
        .fileAccess, "The path of the URL contains a NUL or invalid UTF-8.",
        path: absoluteString)
    }
    guard path.contains("//") else { return path }
    return (path.hasPrefix("/") ? "/" : "") + path.split(separator: "/").joined(separator: "/")
  }
}
