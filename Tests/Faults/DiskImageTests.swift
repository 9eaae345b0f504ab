import CTestFaults
import Testing
import VarveTestSupport

/// Disks filled to the last byte, on the file systems that a store may have: no signal, no other
/// error than `.outOfDiskSpace`, nothing acknowledged lost, and a new process reads, checks and
/// copies the store.
@Suite struct DiskImageTests {
  @Test(arguments: [DiskImage.Kind.ext4, .xfs, .btrfs, .tmpfs], ["store", "neighbor"])
  func fullFileSystemLosesNothing(_ kind: DiskImage.Kind, filler: String) throws {
    try fill(kind, by: filler)
  }

  /// The files that processes change through mappings are not compressed, so that the store is
  /// opened again on the full disk.
  @Test(arguments: ["store", "neighbor"])
  func storeOnFullCompressedFileSystemIsOpenedAgain(filler: String) throws {
    try fill(.compressed, by: filler)
  }

  private func fill(_ kind: DiskImage.Kind, by filler: String) throws {
    let directory = try FaultDirectory()
    guard let image = try DiskImage(kind, in: directory) else {
      return print("skipped: this machine mounts no image with the file system \(kind)")
    }
    try directory.make("outside")
    var random = SeededRandom()
    let process = TestProcess(
      [
        "fullImage", image.path, "\(random.below(1_000_000))", filler, directory.path + "/outside",
      ], launcher: image.launcher)
    let lines = process.lines()
    #expect(process.wait() == 0)
    print("\(kind), filled by the \(filler): \(lines.last ?? ""), \(random)")
    let faults = lines.filter { $0.hasPrefix("fault") }
    #expect(faults.isEmpty, "\(random): \(faults.prefix(10).joined(separator: "\n"))")
    #expect(lines.last?.hasPrefix("done") == true, "\(random)")
  }
}
