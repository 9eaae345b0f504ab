import Glibc
import Testing
import VarveStorage
import VarveTestSupport

/// Processes in several PID namespaces, like containers that share a volume.
///
/// Disabled if the user cannot create namespaces.
@Suite(.enabled(if: Namespace.isAvailable)) struct NamespaceTests {
  @Test func secondProcessWithSameIDThrowsProcessIDInUse() throws {
    try withStore { _, directory in
      let first = Namespace.process(["pinVersion", directory.file()], id: 1)
      #expect(first.line() == "pid 1")
      #expect(
        Namespace.process(["pinVersion", directory.file()], id: 1).line() == "processIDInUse")
      // Another id works.
      let second = Namespace.process(["pinVersion", directory.file()], id: 2)
      #expect(second.line() == "pid 2")
      second.go()
      #expect(second.line() == "ok")
      first.go()
      #expect(first.line() == "ok")
      let third = Namespace.process(["pinVersion", directory.file()], id: 1)
      #expect(third.line() == "pid 1")
    }
  }

  @Test func readerSlotsOfDeadProcessWithSameIDAreFreed() throws {
    try withStore { environment, directory in
      let first = Namespace.process(["pinVersion", directory.file()], id: 1)
      #expect(first.line() == "pid 1")
      let pinned = try #require(
        try environment.readers().first { $0.pid == 1 && $0.transactionID != nil }?.transactionID)
      first.kill()
      #expect(first.line() == nil)
      for number in 0..<3 { try environment.write { try $0.put(.catalog, id: number) } }
      let second = Namespace.process(["pinVersion", directory.file()], id: 1)
      #expect(second.line() == "pid 1")
      let readers = try environment.readers().filter { $0.pid == 1 }.compactMap(\.transactionID)
      #expect(!readers.isEmpty && readers.allSatisfy { $0 > pinned })
    }
  }

  @Test func threadsWithSameIDWaitForEachOther() throws {
    try withStore { environment, directory in
      let path = directory.file()
      let holder = Namespace.process(["lockOnThread", path, "60"], id: 1)
      #expect(holder.line() == "locked")
      let late = Namespace.process(["tryLockOnThread", path, "60", "100"], id: 2)
      #expect(late.line() == "busy")
      let patient = Namespace.process(["tryLockOnThread", path, "60", "30000"], id: 2)
      holder.go()
      #expect(holder.line() == "ok")
      #expect(patient.line() == "locked")
      // The death of the process releases the lock.
      patient.kill()
      #expect(patient.line() == nil)
      try environment.write { try $0.put(.catalog, id: 9) }
    }
  }

  @Test func processesOfSeveralNamespacesAreNotified() throws {
    try withStore { environment, directory in
      let waiting = Namespace.process(["wait", directory.file()], id: 2)
      #expect(waiting.line() == "waiting")
      let writer = Namespace.process(["lockOnThread", directory.file(), "60"], id: 1)
      #expect(writer.line() == "locked")
      writer.go()
      #expect(writer.line() == "ok")
      #expect(waiting.line() == "moved")
      let value = try environment.snapshot().bytes(.catalog, key: Array("locked".utf8))
      #expect(value == [1])
    }
  }
}

private enum Namespace {
  private static let launcher = ["unshare", "--pid", "--fork", "--kill-child"]

  /// A process in a separate namespace, with the id 1 or 2 there.
  static func process(_ arguments: [String], id: Int) -> TestProcess {
    // The first process is a shell that its last command does not replace.
    let shell = id == 1 ? [] : ["sh", "-c", #""$@"; exit $?"#, "sh"]
    return TestProcess(arguments, launcher: launcher + shell)
  }

  static let isAvailable: Bool = {
    guard geteuid() == 0 else { return false }
    var child: pid_t = 0
    var words = (launcher + ["true"]).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    guard posix_spawnp(&child, "unshare", nil, nil, &words, environ) == 0 else { return false }
    var status: Int32 = 0
    return waitpid(child, &status, 0) == child && status == 0
  }()
}

extension WriteTransaction {
  fileprivate func put(_ table: Table, id: Int) throws {
    try put(table, key: "n\(id)", "value")
  }
}
