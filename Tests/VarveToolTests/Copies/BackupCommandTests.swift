import Foundation
import Testing
import Varve
import VarveLocks

@Suite struct BackupCommandTests {
  @Test func copyUnderWriterIsOneVersion() throws {
    try PupStore.with(durability: .full) { store in
      try store.realm.write {
        for number in 0..<3000 { store.realm.add(Pup(value: ["name": "\(number)"])) }
      }
      let ends = Lock(false)
      let (realm, done) = (store.realm, DispatchSemaphore(value: 0))
      let commits = Lock(0)
      Thread.detachNewThread {
        // All pups have one age in each version.
        while !ends.withLock({ $0 }) {
          try? realm.write { realm.objects(Pup.self).setAges(commits.withLock { $0 } + 1) }
          commits.withLock { $0 += 1 }
        }
        done.signal()
      }
      defer {
        ends.withLock { $0 = true }
        done.wait()
      }
      while commits.withLock({ $0 }) < 2 { usleep(1000) }
      for number in 0..<3 {
        let copy = store.path + ".copy\(number)"
        let output = try ToolProgram.run(["backup", store.path, copy])
        #expect(output.status == 0 && output.text.hasSuffix(", 3,000 objects, no problems\n"))
        let ages = try ToolProgram.run(["query", copy, "Pup", "DISTINCT(age)", "--json"])
        #expect(ages.text.split(separator: "\n").count == 1, "\(ages)")
      }
    }
  }

  @Test func copyIsChecked() throws {
    try PupStore.with { store in
      try store.realm.write { store.realm.add(Pup(value: ["name": "Rex"])) }
      let copy = store.path + ".copy"
      let output = try ToolProgram.run(["backup", store.path, copy])
      #expect(output.status == 0 && output.errors.isEmpty, "\(output.errors)")
      #expect(output.text.hasSuffix(", 1 object, no problems\n"), "\(output.text)")
      #expect(try ToolProgram.run(["query", copy, "Pup", "--count"]).text == "1\n")
      #expect(try ToolProgram.run(["diff", store.path, copy]).status == 0)

      let second = try ToolProgram.run(["backup", store.path, copy])
      #expect(second.status == 2 && second.text.isEmpty)
      #expect(second.errors.hasPrefix("Error: "), "\(second.errors)")
    }
  }

  @Test func earlierCopyIsReplacedOnRequest() throws {
    try PupStore.with { store in
      let copy = store.path + ".copy"
      let arguments = ["backup", store.path, copy, "--replace"]
      #expect(try ToolProgram.run(arguments).status == 0)
      try store.realm.write { store.realm.add(Pup(value: ["name": "Rex"])) }
      let output = try ToolProgram.run(arguments)
      #expect(output.status == 0 && output.errors.isEmpty, "\(output.errors)")
      #expect(output.text.hasSuffix(", 1 object, no problems\n"), "\(output.text)")
      #expect(try ToolProgram.run(["query", copy, "Pup", "--count"]).text == "1\n")
      let folder = URL(fileURLWithPath: copy).deletingLastPathComponent()
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(
        !names.contains { $0.hasPrefix(URL(fileURLWithPath: copy).lastPathComponent + ".new") })
    }
  }

  @Test func onlyUnusedStoresAreReplaced() throws {
    try PupStore.with { store in
      let copy = store.path + ".copy"
      #expect(FileManager.default.createFile(atPath: copy, contents: Data("notes".utf8)))
      let foreign = try ToolProgram.run(["backup", store.path, copy, "--replace"])
      #expect(foreign.status == 2)
      #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == Data("notes".utf8))

      let same = try ToolProgram.run(["backup", store.path, store.path, "--replace"])
      #expect(same.status == 2 && same.errors.contains("would replace the store"))

      let named = store.path + ".new"
      try FileManager.default.copyItem(atPath: store.path, toPath: named)
      let source = try ToolProgram.run(["backup", named, store.path, "--replace"])
      #expect(source.status == 2 && source.errors.contains("would replace the store"))
      #expect(FileManager.default.fileExists(atPath: named))

      try PupStore.with { other in
        try other.realm.write { other.realm.add(Pup(value: ["name": "Rex"])) }
        let used = try ToolProgram.run(["backup", store.path, other.path, "--replace"])
        #expect(used.status == 2 && used.errors.contains("open"), "\(used.errors)")
        #expect(other.realm.objects(Pup.self).count == 1)
      }
    }
  }

  @Test func copyMayStayUnchecked() throws {
    try PupStore.with { store in
      let copy = store.path + ".copy"
      let output = try ToolProgram.run(["backup", store.path, copy, "--no-check"])
      #expect(output.status == 0 && output.text.hasSuffix(", not checked\n"), "\(output.text)")
      #expect(try ToolProgram.run(["backup", "-q", copy, copy + "2"]).text == "")
    }
  }

  @Test func missingStoreFails() throws {
    let path = ToolProgram.temporaryURL("varve-none-").path
    let output = try ToolProgram.run(["backup", path, path + "2"])
    #expect(output.status == 2 && output.errors.contains(path))
    #expect(!FileManager.default.fileExists(atPath: path + "2"))
  }
}

extension Results<Pup> {
  fileprivate func setAges(_ age: Int) {
    for pup in self { pup.age = age }
  }
}
