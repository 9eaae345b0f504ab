package import Foundation
package import VarveCore

extension URL {
  /// The path of the local file that the URL names, with each run of slashes as one.
  ///
  /// - Throws: `.fileAccess` for a URL of another scheme or host, and for a path with a NUL or with bytes
  ///   that are not UTF-8: the file that is opened would be another one.
  package func pathOfLocalFile() throws(Failure) -> String {
    let host = host(percentEncoded: false) ?? ""
    guard isFileURL, host.isEmpty || host == "localhost" else {
      throw Failure(
        .fileAccess, "The URL is no file URL, and names no file of this machine.",
        path: absoluteString)
    }
    guard let decoded = path(percentEncoded: true).removingPercentEncoding,
      !decoded.utf8.contains(0)
    else {
      throw Failure(
        .fileAccess, "The path of the URL has a NUL, or bytes that are not UTF-8.",
        path: absoluteString)
    }
    guard path.contains("//") else { return path }
    return (path.hasPrefix("/") ? "/" : "") + path.split(separator: "/").joined(separator: "/")
  }
}
