import Foundation

/// One list of packages on this machine.
struct PackageIndex: Equatable, Sendable {
  var url: URL

  /// The apt program that prints a list and decompresses it if needed.
  private static let helper = "/usr/lib/apt/apt-helper"

  /// The name of the list in messages.
  var name: String { url.lastPathComponent }

  /// Reads the whole list in chunks.
  ///
  /// - Parameter body: Receives each chunk.
  /// - Throws: ``DemoError`` when the list cannot be read; any error of `body`.
  func forEachPiece(_ body: (ArraySlice<UInt8>) throws -> Void) throws {
    if isCompressed {
      try Self.forEachPiece(printedBy: Self.helper, ["cat-file", url.path], body)
    } else {
      let file: FileHandle
      do {
        file = try FileHandle(forReadingFrom: url)
      } catch {
        throw DemoError("The list \(url.path) could not be opened", because: error)
      }
      defer { try? file.close() }
      try Self.forEachPiece(of: file, body)
    }
  }

  /// Reads the whole list, one package after another.
  ///
  /// Paragraphs without a name or a version are skipped.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of packages to read.
  ///   - body: Receives each package.
  /// - Throws: ``DemoError`` when the list cannot be read; ``ControlFileError`` when it is not a
  ///   list of packages; any error of `body`.
  func forEachPackage(limit: Int = .max, _ body: (PackageRecord) throws -> Void) throws {
    var count = 0
    try forEachParagraph(keeping: PackageRecord.fields) { paragraph in
      guard count < limit else { return false }
      if let record = try? PackageRecord(paragraph) {
        try body(record)
        count += 1
      }
      return count < limit
    }
  }

  /// Reads the list and returns the number of its paragraphs.
  ///
  /// - Parameter limit: The number at which to stop counting.
  /// - Returns: At most `limit`.
  /// - Throws: The errors of ``forEachPackage(limit:_:)``.
  func packageCount(limit: Int = .max) throws -> Int {
    var count = 0
    try forEachParagraph(keeping: ["Package"]) { _ in
      guard count < limit else { return false }
      count += 1
      return count < limit
    }
    return count
  }

  /// Passes the body one paragraph after another until it returns false.
  private func forEachParagraph(
    keeping fields: [String], _ body: (ControlParagraph) throws -> Bool
  ) throws {
    struct Enough: Error {}
    var parser = ControlFileParser(keeping: fields)
    do {
      try forEachPiece { piece in
        for paragraph in try parser.parse(piece) where try !body(paragraph) { throw Enough() }
      }
      if let last = try parser.finish() { _ = try body(last) }
    } catch is Enough {}
  }

  private var isCompressed: Bool {
    ["lz4", "gz", "xz", "bz2", "zst", "lzma"].contains(url.pathExtension)
  }

  private static func forEachPiece(
    printedBy program: String, _ arguments: [String], _ body: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    do {
      try process.run()
    } catch {
      throw DemoError("\(program) could not be started", because: error)
    }
    do {
      defer {
        // If the body stops early, closing the pipe ends the process. A signal might not, since the
        // process inherits the blocked signals of this thread.
        try? output.fileHandleForReading.close()
        process.waitUntilExit()
      }
      try forEachPiece(of: output.fileHandleForReading, body)
    }
    guard process.terminationStatus == 0 else {
      throw DemoError("\(program) ended with status \(process.terminationStatus)")
    }
  }

  private static func forEachPiece(
    of file: FileHandle, _ body: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    while let data = try file.read(upToCount: 1 << 18), !data.isEmpty {
      try body([UInt8](data)[...])
    }
  }
}
