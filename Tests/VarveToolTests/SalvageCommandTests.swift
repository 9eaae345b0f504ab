import Foundation
import Testing
import Varve
import VarveTesting

@Suite struct SalvageCommandTests {
  /// Runs a body with a directory that contains the file `old.varve`, a copy of a store of pups.
  ///
  /// - Parameters:
  ///   - pups: How many.
  ///   - isDamaged: Whether the row of one of them does not match its checksum.
  private func withStore(
    pups: Int = 2, isDamaged: Bool = false, _ body: (URL) throws -> Void
  ) throws {
    try withTemporaryRealm(in: .directory) { realm in
      try realm.write {
        for name in ["Rex", "Bello-Bello"] { realm.add(Pup(value: ["name": name])) }
        for number in 2..<pups { realm.add(Pup(value: ["name": "\(number)"])) }
      }
      var bytes = try Data(contentsOf: try #require(realm.configuration.fileURL))
      if isDamaged {
        var count = 0
        while let range = bytes.range(of: Data("Bello-Bello".utf8)) {
          bytes.replaceSubrange(range, with: Data("Bella-Bello".utf8))
          count += 1
        }
        try #require(count > 0)
      }
      let directory = ToolProgram.temporaryURL("varve-salvage-")
      try FileManager.default.createDirectory(
        at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      defer { try? FileManager.default.removeItem(at: directory) }
      try bytes.write(to: directory.appending(path: "old.varve"))
      try body(directory)
    }
  }

  private func salvage(
    _ directory: URL, _ options: [String] = [], writingTo file: String? = nil,
    fileSizeLimit: Int? = nil
  ) throws -> ToolProgram.Output {
    let paths = ["old.varve", "new.varve"].map { directory.appending(path: $0).path }
    return try ToolProgram.run(
      ["salvage"] + options + paths, writingTo: file, fileSizeLimit: fileSizeLimit)
  }

  private func files(_ directory: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
  }

  @Test func soundStoreIsRescuedCompletely() throws {
    try withStore { directory in
      let output = try salvage(directory)
      #expect(output.status == 0 && output.errors.isEmpty, "\(output.errors)")
      #expect(output.text == "2 objects of 1 class rescued, 0 lost\ncomplete\n")
      #expect(try files(directory) == ["new.varve", "old.varve"])
    }
  }

  @Test func lostObjectIsReportedInWords() throws {
    try withStore(isDamaged: true) { directory in
      let output = try salvage(directory)
      #expect(output.status == 1)
      let start = "1 object of 1 class rescued, 1 lost\nPup: 1 object lost, 1 rescued\nPup "
      #expect(output.text.hasPrefix(start), "\(output.text)")
      #expect(output.text.hasSuffix(": bad checksum\nnot complete\n"), "\(output.text)")
      let path = directory.appending(path: "new.varve").path
      #expect(output.errors == "Error: The new store is not complete.\n  \(path)\n")
    }
  }

  @Test func reportIsPrintedAsJSON() throws {
    try withStore(isDamaged: true) { directory in
      let output = try salvage(directory, ["--json"])
      #expect(output.status == 1)
      #expect(output.text.split(separator: "\n").count == 1)
      let parsed = try JSONSerialization.jsonObject(with: Data(output.text.utf8))
      let report = try #require(parsed as? [String: Any])
      #expect(
        report.keys.sorted() == [
          "classes", "complete", "damagedPages", "dataMissing", "earlierVersion", "lost",
          "lostClasses", "lostElements", "lostLinks", "lostObjects", "lostProperties",
          "lostValues", "metaPageDamaged", "rescued", "unreadableBytes",
        ])
      #expect(report["complete"] as? Bool == false && report["earlierVersion"] as? Bool == false)
      #expect(report["rescued"] as? Int == 1 && report["lost"] as? Int == 1)
      let counts = try #require((report["classes"] as? [[String: Any]])?.first)
      #expect(counts["name"] as? String == "Pup" && counts["lost"] as? Int == 1)
      let object = try #require((report["lostObjects"] as? [[String: Any]])?.first)
      #expect(object["class"] as? String == "Pup" && object["reason"] as? String == "badChecksum")
      #expect(object["detail"] as? String == "bad checksum" && object["key"] is String)
      #expect((report["lostClasses"] as? [Any])?.isEmpty == true)
    }
  }

  @Test(arguments: [[], ["--json"]]) func quietSalvagePrintsNothing(_ options: [String]) throws {
    try withStore { directory in
      let output = try salvage(directory, ["--quiet"] + options)
      #expect(output.status == 0 && output.text.isEmpty && output.errors.isEmpty)
    }
  }

  @Test func unwritableOutputLeavesNewStore() throws {
    try withStore { directory in
      let output = try salvage(directory, writingTo: "/dev/full")
      #expect(output.status == 1)
      let path = directory.appending(path: "new.varve").path
      #expect(
        output.errors == """
          Error: The new store is complete. \
          The output cannot be written: No space left on device
            \(path)

          """)
      #expect(try ToolProgram.run(["check", "--quiet", path]).status == 0)
    }
  }

  @Test func limitOfFileSizesLeavesNoFiles() throws {
    try withStore { directory in
      let output = try salvage(directory, fileSizeLimit: 4096)
      #expect(output.status == 2 && output.text.isEmpty)
      #expect(
        output.errors.hasPrefix("Error: The file has reached the file size limit."),
        "\(output.errors)")
      #expect(try files(directory) == ["old.varve"])
    }
  }

  @Test(arguments: [SIGINT, SIGTERM]) func stoppedSalvageLeavesNoFiles(_ signal: Int32) throws {
    try withStore(pups: 20_000) { directory in
      let paths = ["old.varve", "new.varve"].map { directory.appending(path: $0).path }
      let tool = try RunningTool(["salvage"] + paths)
      // The directory of the salvage.
      while try files(directory).count == 1 { usleep(1000) }
      tool.send(signal)
      let end = try tool.wait()
      #expect(end.status == 2)
      #expect(end.errors.contains("Error: The salvage was stopped."), "\(end.errors)")
      #expect(try files(directory) == ["old.varve"])
    }
  }

  @Test func missingFileFails() throws {
    try withStore { directory in
      let none = directory.appending(path: "none").path
      let new = directory.appending(path: "new.varve").path
      let output = try ToolProgram.run(["salvage", none, new])
      #expect(output.status == 2 && output.errors.hasPrefix("Error: "))
      #expect(try files(directory) == ["old.varve"])
    }
  }
}
