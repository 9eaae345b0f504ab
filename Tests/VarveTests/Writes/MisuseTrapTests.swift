import Glibc
import Testing
import Varve
import VarveTestSupport

/// What is wrong in every run traps; nothing else does.
@Suite struct MisuseTrapTests {
  @Test(
    arguments: [
      "set", "append", "map", "add", "create", "delete", "frozenIndex", "frozenAdd",
      "unmanagedIndex", "unmanagedRemove", "unmanagedFreeze", "projected",
    ])
  func misuseTraps(_ what: String) throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    let process = TestProcess(
      ["realmMisuse", store.path, what], environment: ["SWIFT_BACKTRACE=enable=no"])
    #expect(process.line() == "ready")
    #expect(process.line() == nil)
    // Ended by a signal.
    #expect(process.wait() & 0x7F != 0)
  }
}
