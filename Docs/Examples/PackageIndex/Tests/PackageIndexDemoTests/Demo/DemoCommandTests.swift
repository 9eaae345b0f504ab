import Foundation
import Testing
import Varve

@testable import PackageIndexDemo

@Suite struct DemoCommandTests {
  @Test func demoRunsFromBeginningToEnd() throws {
    let directory = DemoProgram.temporaryURL()
    defer { try? FileManager.default.removeItem(at: directory) }
    let output = try DemoProgram.run(["--directory", directory.path, "--limit", "60"])
    #expect(output.status == 0, "\(output.errors)")
    #expect(output.text.contains("  Packages: 60 entries of "))
    #expect(output.text.contains(" packages, "))
    #expect(output.text.contains("+changed"))
    #expect(output.text.contains("(none)"))

    let store = DemoStore(url: directory.appendingPathComponent(DemoStore.fileName))
    let realm = try store.open()
    #expect(realm.objects(Maintainer.self).count > 0)
    #expect(realm.objects(Package.self).where { $0.version.ends(with: "+changed") }.count > 0)
    try Realm.close(store.configuration)
  }

  @Test func logHasOneLinePerProgressBar() throws {
    let directory = DemoProgram.temporaryURL()
    defer { try? FileManager.default.removeItem(at: directory) }
    let output = try DemoProgram.run(["--directory", directory.path, "--limit", "60"])
    let lines = output.text.split(separator: "\n")
    #expect(lines.count { $0.contains("Packages:") } == 1)
    #expect(lines.count { $0.contains("Links:") } == 1)
    #expect(!output.text.contains("\u{1B}"))
  }

  @Test func questionsWithoutAnswerPrintNone() throws {
    let directory = DemoProgram.temporaryURL()
    defer { try? FileManager.default.removeItem(at: directory) }
    let output = try DemoProgram.run(["--directory", directory.path, "--limit", "1"])
    #expect(output.status == 0, "\(output.errors)")
    #expect(output.text.contains("1 entry of "))
    #expect(output.text.contains("1 package, 1 maintainer, 1 section\n"))
    #expect(output.text.contains("\n  none\n"))
    #expect(output.text.contains("changed 0 packages and deleted 1 "))
    let lines = output.text.split(separator: "\n", omittingEmptySubsequences: false)
    for (line, next) in zip(lines, lines.dropFirst()) where line.contains("?  (") {
      #expect(!next.isEmpty, "\(line)")
    }
  }

  @Test(arguments: ["0", "-1", "x"])
  func invalidLimitsAreRefused(limit: String) throws {
    let output = try DemoProgram.run(["--limit", limit])
    #expect(output.status == 64)
    #expect(output.errors.contains("limit"))
  }

  @Test func uncreatableDirectoryIsReported() throws {
    let output = try DemoProgram.run(["--directory", "/dev/null/demo"])
    #expect(output.status == 1)
    let message = "Error: The directory /dev/null/demo could not be created: Not a directory\n"
    #expect(output.errors == message)
  }

  @Test func unsafeDirectoryIsReported() throws {
    let directory = DemoProgram.temporaryURL()
    defer { try? FileManager.default.removeItem(at: directory) }
    try FileManager.default.createDirectory(
      at: directory, withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o777], ofItemAtPath: directory.path)
    let output = try DemoProgram.run(["--directory", directory.path])
    #expect(output.status == 1)
    #expect(output.errors.contains("The directory is world-writable;"))
    #expect(output.errors.contains(directory.path))
  }

  @Test func helpHidesHugeDefaultAndSecondProcess() throws {
    let output = try DemoProgram.run(["--help"])
    #expect(output.status == 0)
    #expect(output.text.contains("--limit"))
    #expect(!output.text.contains("9223372036854775807"))
    #expect(!output.text.contains("update"))
  }
}
