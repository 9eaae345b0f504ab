import Glibc
import Testing
import VarveStorage
import VarveTestSupport

@Suite struct InMemoryTests {
  @Test func oneNameIsOneStoreWhileItIsOpen() throws {
    let name = "store \(UInt64.random(in: .min ... .max))"
    var options = testOptions(name)
    options.isInMemory = true
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
    let path = environment.path
    #expect(path.hasPrefix("/dev/shm/"))
    var file = stat()
    #expect(stat(directoryOf(path), &file) == 0 && file.st_mode & 0o777 == 0o700)
    try environment.close()
    #expect(access(directoryOf(path), F_OK) != 0)
    // A new one under the old name is empty.
    options.path = name
    let fresh = try Environment.open(options)
    #expect(try fresh.snapshot().count(.catalog) == 0)
    try fresh.close()
  }

  @Test func theDirectoryGoesWithTheLastSnapshot() throws {
    var options = testOptions("frozen \(UInt64.random(in: .min ... .max))")
    options.isInMemory = true
    let environment = try Environment.open(options)
    do {
      let snapshot = try environment.write { try $0.put(.catalog, key: "a", "b") }
      try environment.close()
      #expect(access(environment.path, F_OK) == 0)
      #expect(snapshot.text(.catalog, key: "a") == "b")
    }
    #expect(access(environment.path, F_OK) != 0)
  }

  @Test func leftoversOfDeadProcessesAreCleared() throws {
    let name = "left \(UInt64.random(in: .min ... .max))"
    let process = TestProcess(["holdInMemory", name])
    let path = try #require(process.line())
    #expect(access(path, F_OK) == 0)
    var options = testOptions(name)
    options.isInMemory = true
    // While its owner lives it stays, and is not ours.
    let first = try Environment.open(options)
    #expect(first.path != path)
    #expect(access(path, F_OK) == 0)
    try first.close()
    process.kill()
    let second = try Environment.open(options)
    #expect(access(path, F_OK) != 0)
    try second.close()
  }
}

private func directoryOf(_ path: String) -> String {
  path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
}
