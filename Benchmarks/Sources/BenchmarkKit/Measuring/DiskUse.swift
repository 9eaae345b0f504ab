import Foundation

/// The disk space used by files.
enum DiskUse {
  /// The size of the allocated blocks instead of the lengths: files may have holes. Directories are
  /// included, the inodes of files are not: no system call returns their size.
  static func bytes(in directory: URL) -> Int {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: directory.path)) ?? []
    return ([""] + names).reduce(0) { sum, name in
      var status = stat()
      guard lstat(directory.appendingPathComponent(name).path, &status) == 0 else { return sum }
      return sum + Int(status.st_blocks) * 512
    }
  }
}
