import Foundation

/// The disk space of files.
enum DiskUsage {
  /// Returns the size of the allocated blocks, which may be less than the length of a sparse file.
  ///
  /// - Returns: The number of bytes; 0 if the file does not exist.
  static func bytes(of path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_blocks) * 512 : 0
  }
}
