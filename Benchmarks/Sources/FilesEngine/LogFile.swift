import BenchmarkKit
import Foundation
import Synchronization

/// A file to which lines are appended. It stays open after the first line.
final class LogFile: Sendable {
  private let path: String
  private let durability: Durability
  private let file = Mutex<OpenFile?>(nil)

  init(in directory: URL, _ durability: Durability) {
    path = directory.appendingPathComponent("log").path
    self.durability = durability
  }

  /// Appends a line. With full durability, the line is on the disk when the method returns.
  func append(_ line: String) throws {
    try file.withLock { file in
      if file == nil { file = try open() }
      var line = line + "\n"
      guard let descriptor = file?.descriptor else { return }
      try line.withUTF8 {
        try FileSystemCalls.write(UnsafeRawBufferPointer($0), to: descriptor)
      }
      if durability == .full { try FileSystemCalls.synchronise(descriptor) }
    }
  }

  private func open() throws -> OpenFile {
    let opened = try FileSystemCalls.open(path, O_WRONLY | O_APPEND | O_CREAT)
    if durability == .full {
      try FileSystemCalls.synchroniseDirectory(
        URL(fileURLWithPath: path).deletingLastPathComponent().path)
    }
    return opened
  }

  /// The number of lines.
  func countLines() throws -> Int {
    guard let file = try FileSystemCalls.openIfThere(path, O_RDONLY) else { return 0 }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { buffer.deallocate() }
    var lines = 0
    while true {
      let count = try FileSystemCalls.read(file, into: buffer)
      if count == 0 { return lines }
      lines += buffer[..<count].count { $0 == UInt8(ascii: "\n") }
    }
  }
}
