import CTestFaults
import Foundation
import Glibc
import VarveTestSupport

/// A writing or observing process of a kill run.
struct KillProcess {
  enum Role: String {
    case writer = "killWrite"
    case observer = "killObserve"
  }

  let role: Role
  let row: Int
  let process: TestProcess
  /// The file operation at which it is killed; empty without one.
  let plan: String

  /// A random operation of a process that has just started, and the moment in it.
  ///
  /// - Parameter isReplacing: Whether the process may create or compact the store.
  static func plan(_ random: inout SeededRandom, isReplacing: Bool) -> String {
    var kinds = [("write", 30), ("write", 30), ("sync", 12), ("open", 12), ("map", 6)]
    if isReplacing {
      kinds += [
        ("write", 8), ("sync", 4), ("truncate", 2), ("allocate", 3), ("rename", 2), ("unlink", 2),
      ]
    }
    let (kind, limit) = random.pick(kinds)
    var actions = ["killBefore", "killAfter"]
    if kind == "write" { actions.append("killWithin") }
    let action = random.pick(actions)
    return "\(kind):\(random.int(1...limit)):\(action)"
  }
}

/// What the processes of a store have left in its directory.
struct KillFiles {
  let directory: String
  var store: String { directory + "/store.varve" }

  /// The processes with a slot in the reader table of LMDB.
  ///
  /// The slots of 64 bytes begin at byte 128; a process id follows the id of the pinned
  /// transaction. The number of slots in use follows a mutex and a transaction id: the first user
  /// of the file resets it, and leaves the slots. This process must not have the store open: its
  /// locks on the file would be lost.
  func slotOwners() -> [pid_t] {
    let file = open(store + "-lock", O_RDONLY)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(file, &bytes, bytes.count)
    guard count > 128 else { return [] }
    let slotCount = bytes.withUnsafeBytes {
      $0.loadUnaligned(fromByteOffset: 16 + MemoryLayout<pthread_mutex_t>.size, as: Int32.self)
    }
    return (0..<min(Int(slotCount), (count - 128) / 64)).compactMap { number in
      let slot = 128 + 64 * number
      let owner = bytes.withUnsafeBytes {
        $0.loadUnaligned(fromByteOffset: slot + 8, as: Int32.self)
      }
      return owner == 0 ? nil : owner
    }
  }

  /// The bytes of the data file; 0 if it does not exist.
  var size: Int {
    var file = stat()
    return stat(store, &file) == 0 ? Int(file.st_size) : 0
  }

  /// The names of the files of processes that were creating or compacting the store.
  var leftovers: [String] { names.filter(isLeftover) }

  /// The names of files that nobody should have created.
  var strangers: [String] {
    let known = ["store.varve", "store.varve-lock", "store.varve-signal"]
    return names.filter { !known.contains($0) && !isLeftover($0) }
  }

  private func isLeftover(_ name: String) -> Bool { name.hasPrefix(".store.varve.new-") }

  private var names: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
  }

  /// Makes the leftovers so old that the next user removes them.
  func ageLeftovers() {
    for name in leftovers {
      let time = timespec(tv_sec: time(nil) - 600, tv_nsec: 0)
      utimensat(AT_FDCWD, directory + "/" + name, [time, time], 0)
    }
  }
}
