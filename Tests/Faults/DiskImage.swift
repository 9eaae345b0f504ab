import Foundation
import Glibc

/// A file system in a file, which a process sees that was started with ``launcher``.
struct DiskImage {
  enum Kind: String {
    case ext4, xfs, btrfs, tmpfs
    /// Btrfs, where new files are compressed unless their first user prevents it.
    case compressed

    /// The system's name of the file system.
    fileprivate var type: String { self == .compressed ? "btrfs" : rawValue }

    /// The least size that its program makes, or little more.
    fileprivate var size: String {
      switch self {
      case .ext4: "64M"
      case .xfs: "320M"
      case .btrfs, .compressed: "200M"
      case .tmpfs: "12M"
      }
    }
  }

  let kind: Kind
  /// The directory of the file system.
  let path: String
  private let file: String

  /// Makes a file system in a directory.
  ///
  /// - Returns: nil, after a line that says why, if the machine does not allow it.
  init?(_ kind: Kind, in directory: borrowing FaultDirectory) throws {
    self.kind = kind
    path = directory.path + "/disk"
    file = directory.path + "/image"
    try directory.make("disk")
    guard geteuid() == 0 else {
      print("skipped: \(kind): only root can mount a disk")
      return nil
    }
    if kind != .tmpfs {
      guard
        Self.run(["sh", "-c", "truncate -s \(kind.size) \(file) && mkfs.\(kind.type) -q \(file)"])
      else {
        print("skipped: mkfs.\(kind.type) is not installed, or failed")
        return nil
      }
    }
    guard Self.run(launcher + ["true"]) else {
      print("skipped: \(kind): this machine does not mount it")
      return nil
    }
  }

  /// The command that mounts the file system, and runs the command after it, which alone sees it.
  var launcher: [String] {
    let mount =
      switch kind {
      case .tmpfs: "mount -t tmpfs -o size=\(kind.size) none \(path)"
      case .compressed:
        "mount -o loop,compress-force=zstd \(file) \(path) && chattr +c \(path)"
      default: "mount -o loop \(file) \(path)"
      }
    return ["unshare", "--mount", "sh", "-c", mount + " && exec \"$@\"", "sh"]
  }

  /// - Returns: Whether the command ended with 0.
  private static func run(_ command: [String]) -> Bool {
    var words = command.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor: Int32 in [1, 2] {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
    }
    var child: pid_t = 0
    guard posix_spawnp(&child, command[0], &actions, nil, &words, environ) == 0 else {
      return false
    }
    var status: Int32 = 0
    return waitpid(child, &status, 0) == child && status == 0
  }
}
