import Foundation

/// What files take of the disk.
enum DiskUse {
  /// Blocks in use, not lengths: files may have holes. Directories count, the inodes of files do not: no system call
  /// tells their size.
  static func bytes(in directory: URL) -> Int {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: directory.path)) ?? []
    return ([""] + names).reduce(0) { sum, name in
      var status = stat()
      guard lstat(directory.appendingPathComponent(name).path, &status) == 0 else { return sum }
      return sum + Int(status.st_blocks) * 512
    }
  }
}
