import Foundation
import Testing

@testable import VarveTool

@Suite struct DemoCommandTests {
  @Test func theDemoRunsFromBeginningToEnd() throws {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("varve-demo-\(UUID().uuidString)", isDirectory: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let output = try run(["demo", "--directory", directory.path, "--limit", "60"])
    #expect(output.status == 0, "\(output.text)")
    #expect(output.text.contains("60 packages"))
    #expect(output.text.contains("+changed"))
    #expect(output.text.contains("(none)"))

    let store = directory.appendingPathComponent(DemoStore.fileName).path
    let info = try run(["info", store])
    #expect(info.status == 0, "\(info.text)")
    #expect(info.text.contains("Maintainer"))
    #expect(info.text.contains("primary key"))
  }

  @Test func infoOfAMissingFileFailsAndMakesNone() throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("varve-none-\(UUID().uuidString).varve").path
    let output = try run(["info", path])
    #expect(output.status != 0)
    #expect(output.text.contains(path))
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test(arguments: ["0", "-1", "x"])
  func limitsThatAreNoneAreRefused(limit: String) throws {
    let output = try run(["demo", "--limit", limit])
    #expect(output.status != 0)
    #expect(output.text.contains("limit"))
  }

  /// Runs the program itself: its second process is one more of it.
  private func run(_ arguments: [String]) throws -> (status: Int32, text: String) {
    let process = Process()
    process.executableURL = try program()
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }

  /// It lies beside the bundle of the tests.
  private func program() throws -> URL {
    let runner = try #require(Bundle.main.executableURL)
    let candidates = [runner, Bundle(for: Anchor.self).bundleURL].map {
      $0.deletingLastPathComponent().appendingPathComponent("varve")
    }
    return try #require(
      candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) })
  }

  private final class Anchor {}
}
