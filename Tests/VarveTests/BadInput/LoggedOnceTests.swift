import Foundation
import Testing
import Varve
import VarveTestSupport

@Suite struct LoggedOnceTests {
  /// A program that reads a deleted object in a loop does not fill its log.
  @Test func misuseIsLoggedOncePerStore() throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    let process = TestProcess(["realmLog", store.path])
    let lines = linesOfMisuse(process, 3)
    #expect(lines.count { $0 == "read" } == 1)
    #expect(lines.count { $0.contains("A deleted or invalidated object was read") } == 1)
    #expect(lines.count { $0.contains("A live collection was read out of bounds") } == 1)
    #expect(lines.count { $0.contains("Crate") } == 2)
    #expect(lines.count { $0.contains("path=\(store.path)") } == 2)
    #expect(lines.count == 3)
  }

  @Test func pageDamageIsLoggedOnce() throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    try makeDamagedCrates(store)
    let process = TestProcess(["realmDamage", store.path])
    let lines = linesOfMisuse(process, 4)
    #expect(lines.count { $0 == "refused" } == 3)
    #expect(lines.count { $0.contains("The file is damaged.") } == 1)
    #expect(lines.count == 4)
  }

  /// The output of a process without its log lines about opening and closing. The process resumes
  /// after `count` lines.
  private func linesOfMisuse(_ process: TestProcess, _ count: Int) -> [String] {
    func next() -> String? {
      var line = process.line()
      while line?.contains(" info varve") == true { line = process.line() }
      return line
    }
    var lines: [String] = []
    while lines.count < count, let line = next() { lines.append(line) }
    process.go()
    while let line = next() { lines.append(line) }
    process.wait()
    return lines
  }
}
