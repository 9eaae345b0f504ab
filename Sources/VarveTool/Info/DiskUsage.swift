import Foundation

/// What files take on the disk.
enum DiskUsage {
  /// The blocks in use, not the length: a file may have holes.
  ///
  /// - Parameter path: A file.
  /// - Returns: Bytes; 0 if there is no such file.
  static func bytes(of path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_blocks) * 512 : 0
  }
}
