import Foundation
import Glibc
import Varve

/// A store on a disk that is filled to the last byte.
///
/// The commands that use the store run in processes of their own, so that a signal that ends one is
/// seen.
enum DiskImages {
  /// Runs `fullImage DIRECTORY SEED FILLER OUTSIDE`: fills the disk of the directory, uses the
  /// store on it, makes room again, and checks it. The disk is filled by the store or by a
  /// neighbor. `OUTSIDE` is a directory on another disk.
  ///
  /// Prints a line for each fault, and at the end `done` with the number of acknowledged
  /// transactions.
  static func run(_ directory: String, _ words: [String]) {
    guard words.count == 3 else { exit(2) }
    let (seed, filler, outside) = (words[0], words[1], words[2])
    let made = lines(["imageMake", directory, seed])
    if made.last != "done" { return say("fault making the store: \(made)") }
    let filled = lines(["imageFill", directory, seed, filler])
    // The transactions that were begun and acknowledged.
    guard let last = filled.last, last.hasPrefix("done"),
      case let counts = last.split(separator: " ").compactMap({ Int($0) }), counts.count == 2
    else { return say("fault filling the disk: \(filled)") }
    let range = ["\(counts[1])", "\(counts[0])"]
    for files in ["kept", "lost"] {
      let read = lines(["imageRead", directory, outside, files] + range, outside)
      if read.last != "done" { say("fault reading with \(files) files: \(read)") }
    }
    let written = lines(["imageWrite", directory])
    if written.last != "done" { say("fault writing to the full disk: \(written)") }
    unlink(directory + "/neighbor")
    sync()
    let checked = lines(["imageCheck", directory] + range)
    if checked.last != "done" { say("fault with room again: \(checked)") }
    say("done \(counts[1])")
  }

  /// The lines of a command, and how it ended if it did not exit with 0.
  private static func lines(_ words: [String], _ outside: String? = nil) -> [String] {
    let process = Process()
    process.executableURL = URL(filePath: CommandLine.arguments[0])
    process.arguments = words
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["SWIFT_BACKTRACE": "enable=no"].merging(outside.map { ["TMPDIR": $0] } ?? [:]) { $1 }
    ) { $1 }
    let output = Pipe()
    process.standardOutput = output
    process.standardInput = FileHandle.nullDevice
    do {
      try process.run()
      let text = String(
        decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
      process.waitUntilExit()
      let lines = text.split(separator: "\n").map(String.init)
      return process.terminationStatus == 0
        ? lines : lines + ["status \(process.terminationStatus)"]
    } catch {
      return ["\(error)"]
    }
  }

  /// Runs a command of one process.
  ///
  /// - Returns: Whether there is such a command.
  static func runPart(_ command: String, _ directory: String, _ words: [String]) throws -> Bool {
    let path = directory + "/store.varve"
    let numbers = words.compactMap { Int($0) }
    switch command {
    case "imageMake": try make(path, seed: numbers[0])
    case "imageFill": try fill(path, seed: numbers[0], directory, filler: words[1])
    case "imageRead": try read(path, words, numbers[0]...numbers[1])
    case "imageWrite": try write(path)
    case "imageCheck": _ = try FaultCheck.run(path, numbers[0]...numbers[1], isWriting: true)
    default: return false
    }
    if command != "imageFill" { say("done") }
    return true
  }

  /// Makes a store, and then companion files that have no attributes, as an earlier release or a
  /// copy makes them.
  private static func make(_ path: String, seed: Int) throws {
    let configuration = FaultWorkload.configuration(path)
    var workload = FaultWorkload(seed: seed)
    try workload.runTransaction(try Realm(configuration: configuration))
    try Realm.close(configuration)
    for suffix in ["-lock", "-signal"] {
      let bytes = try Data(contentsOf: URL(filePath: path + suffix))
      unlink(path + suffix)
      try bytes.write(to: URL(filePath: path + suffix))
    }
    sync()
  }

  /// Runs transactions until the disk is full and several have failed.
  private static func fill(_ path: String, seed: Int, _ directory: String, filler: String) throws {
    let configuration = FaultWorkload.configuration(path)
    var realm = try Realm(configuration: configuration)
    var workload = FaultWorkload(seed: seed, after: 1)
    workload.longText = 400_000
    var acknowledged = 1
    var failures = 0
    if filler == "store" { occupy(directory, leaving: 4 << 20) }
    for number in 0..<2000 where failures < 5 {
      if filler == "neighbor", number == 20 { occupy(directory, leaving: 0) }
      do {
        acknowledged = try workload.runTransaction(realm)
      } catch let error as Realm.Error {
        failures += 1
        if failures > 1, error.code == .closed {
          // The page that ends a commit could not be written: the program opens the store again.
          do {
            try Realm.close(configuration)
            realm = try Realm(configuration: configuration)
          } catch let error as Realm.Error where error.code == .outOfDiskSpace {
            return say("done \(workload.begun) \(acknowledged)")
          }
        } else if error.code != .outOfDiskSpace {
          say("fault: transaction \(workload.begun): \(error)")
        }
      }
      let number = FaultWorkload.number(in: realm)
      if number != acknowledged { say("fault: \(number) instead of \(acknowledged)") }
    }
    if failures < 5 { say("fault: \(failures) failures") }
    // Copy on write needs space to delete, too.
    do {
      try realm.write { realm.delete(realm.objects(FaultParcel.self).where { $0.id < 0 }) }
    } catch let error as Realm.Error where error.code == .outOfDiskSpace {}
    say("done \(workload.begun) \(acknowledged)")
  }

  /// Reads, checks and copies the store in a process that has not opened it before.
  private static func read(
    _ path: String, _ words: [String], _ range: ClosedRange<Int>
  ) throws {
    if words[1] == "lost" { for suffix in ["-lock", "-signal"] { unlink(path + suffix) } }
    var configuration = FaultWorkload.configuration(path)
    configuration.readOnly = true
    let realm = try Realm(configuration: configuration)
    let number = FaultWorkload.number(in: realm)
    if !range.contains(number) { say("fault: \(number) instead of \(range)") }
    let report = try realm.check()
    if !report.isSound { say("fault: \(report)") }
    let copy = words[0] + "/copy-\(words[1]).varve"
    try realm.writeCopy(toFile: URL(filePath: copy))
    _ = try FaultCheck.run(copy, range, isWriting: false)
  }

  /// Opens the store for writing while the disk is full, if there is room for the companion files.
  private static func write(_ path: String) throws {
    do {
      let realm = try Realm(configuration: FaultWorkload.configuration(path))
      for _ in 0..<20 {
        try realm.write { realm.create(FaultWriter.self, value: ["id": 1], update: .modified) }
      }
    } catch let error as Realm.Error where error.code == .outOfDiskSpace {}
  }

  /// Fills the disk of a directory by a file beside the store.
  private static func occupy(_ directory: String, leaving rest: Int) {
    let file = open(directory + "/neighbor", O_RDWR | O_CREAT, 0o600)
    guard file >= 0 else { return say("fault: no neighbor, \(errno)") }
    defer { close(file) }
    var size = 0
    var system = statvfs()
    for step in [16 << 20, 1 << 20] {
      while fstatvfs(file, &system) == 0, Int(system.f_bavail * system.f_frsize) - step > rest,
        posix_fallocate(file, off_t(size), off_t(step)) == 0
      { size += step }
    }
    guard rest == 0 else { return }
    lseek(file, off_t(size), SEEK_SET)
    for step in [1 << 20, 4096, 1] {
      let bytes = [UInt8](repeating: 1, count: step)
      while Glibc.write(file, bytes, step) > 0 {}
    }
    fsync(file)
  }
}
