import Glibc
import Testing
import VarveStorage
import VarveTestSupport

@Suite struct InMemoryTests {
  /// LMDB reports a short write as EIO. The free space is read from the file system; /proc never
  /// has any.
  @Test func fullFileSystemIsReportedForUnnamedFile() {
    func code(_ path: String) -> StorageError.Code {
      StorageError.system(EIO, path: path, "A write failed.").code
    }
    #expect(code("/proc/varve-0/memory.varve") == .diskFull)
    #expect(code("/dev/shm/varve-0-none/memory.varve") == .io)
    #expect(code("memory.varve") == .io)
  }

  @Test func nameIdentifiesOneStoreWhileOpen() throws {
    var options = inMemoryOptions()
    let name = options.path
    let environment = try Environment.open(options)
    try environment.write { try $0.put(.catalog, key: "a", "b") }
    let again = try Environment.open(options)
    #expect(again === environment)
    options.path = name + " other"
    let other = try Environment.open(options)
    #expect(other !== environment)
    #expect(try other.snapshot().count(.catalog) == 0)
    try other.close()
    try again.close()
    try environment.close()
    // A new store with the old name is empty.
    options.path = name
    let fresh = try Environment.open(options)
    #expect(fresh !== environment)
    #expect(try fresh.snapshot().count(.catalog) == 0)
    try fresh.close()
  }

  @Test func openStoreHasNoFilesInFileSystem() throws {
    let environment = try Environment.open(inMemoryOptions())
    #expect(environment.path.hasPrefix("/dev/shm/"))
    #expect(access(directoryOf(environment.path), F_OK) != 0)
    // Larger than the initial map.
    let value = String(repeating: "v", count: 1000)
    for round in 0..<20 {
      try environment.write { transaction in
        for number in 0..<100 { try transaction.put(.catalog, key: "\(round)/\(number)", value) }
      }
    }
    #expect(try environment.snapshot().count(.catalog) == 2000)
    try StructureWalk.check(try environment.snapshot())
    try environment.close()
  }

  @Test func snapshotOutlivesClose() throws {
    let options = inMemoryOptions()
    let environment = try Environment.open(options)
    do {
      let snapshot = try environment.write { try $0.put(.catalog, key: "a", "b") }
      try environment.close()
      // The name is free and gives a new store.
      let again = try Environment.open(options)
      #expect(again !== environment)
      #expect(try again.snapshot().text(.catalog, key: "a") == nil)
      #expect(snapshot.text(.catalog, key: "a") == "b")
      try again.close()
    }
  }

  @Test func storeIsCopiedToFile() throws {
    let directory = TemporaryDirectory()
    let environment = try Environment.open(inMemoryOptions())
    try environment.write { try $0.put(.catalog, key: "a", "b") }
    try environment.copy(to: directory.file("copy.varve"))
    try environment.close()
    let copy = try Environment.open(testOptions(directory.file("copy.varve")))
    #expect(try copy.snapshot().text(.catalog, key: "a") == "b")
    try copy.close()
  }

  @Test func closedStoresLeaveNoDescriptorThreadOrDirectory() throws {
    func use() throws {
      let environment = try Environment.open(inMemoryOptions())
      try environment.write { try $0.put(.catalog, key: "a", "b") }
      try environment.close()
    }
    try use()
    let before = ProcessResources()
    for _ in 0..<200 { try use() }
    let after = ProcessResources()
    #expect(after.descriptors <= before.descriptors)
    // Threads of other tests may be about to end.
    #expect(after.threads <= before.threads)
    #expect(after.directories.isSubset(of: before.directories))
  }

  @Test func killedProcessLeavesNoFiles() throws {
    let process = TestProcess(["holdInMemory", inMemoryOptions().path])
    let path = try #require(process.line())
    #expect(access(directoryOf(path), F_OK) != 0)
    process.kill()
    #expect(access(path, F_OK) != 0)
    #expect(access(directoryOf(path), F_OK) != 0)
  }

  @Test func exitingProcessLeavesNoFiles() throws {
    let process = TestProcess(["holdInMemory", inMemoryOptions().path])
    let path = try #require(process.line())
    process.go()
    #expect(process.wait() == 0)
    #expect(access(path, F_OK) != 0)
    #expect(access(directoryOf(path), F_OK) != 0)
  }

  @Test func directoryOfInterruptedOpeningIsRemovedByNextOpening() throws {
    let left = "/dev/shm/varve-\(geteuid())-left\(UInt32.random(in: .min ... .max))"
    #expect(mkdir(left, 0o700) == 0)
    for (name, text) in [("owner", "1"), ("memory.varve", "part")] {
      let file = try #require(fopen(left + "/" + name, "w"))
      fputs(text, file)
      fclose(file)
    }
    try Environment.open(inMemoryOptions()).close()
    #expect(access(left, F_OK) != 0)
  }
}

private func inMemoryOptions() -> EnvironmentOptions {
  var options = testOptions("test \(UInt64.random(in: .min ... .max))")
  options.isInMemory = true
  return options
}

/// The resources that stores in memory may leave behind.
private struct ProcessResources {
  let descriptors = names(in: "/proc/self/fd").count
  let threads = names(in: "/proc/self/task").count
  let directories = privateDirectories()
}

private func privateDirectories() -> Set<String> {
  Set(names(in: "/dev/shm").filter { $0.hasPrefix("varve-\(geteuid())-") })
}

private func names(in path: String) -> [String] {
  guard let directory = opendir(path) else { return [] }
  defer { closedir(directory) }
  var names: [String] = []
  while let entry = readdir(directory) {
    names.append(
      withUnsafePointer(to: &entry.pointee.d_name) {
        String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
      })
  }
  return names
}

private func directoryOf(_ path: String) -> String {
  path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
}
