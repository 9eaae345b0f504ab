import Glibc
import Testing
import Varve
import VarveTestSupport

/// Programming errors that occur in every run trap; nothing else does.
@Suite struct MisuseTrapTests {
  private static let changed =
    "A managed object of class Crate was changed outside a write transaction."
  private static let lent = "is not that of a persisted property, whose bytes can be lent."
  private static let outside = "Objects can be added, created or deleted only inside a write."

  @Test(
    arguments: [
      ("set", changed), ("append", changed), ("map", changed), ("mapRemoveAll", changed),
      ("add", outside), ("insert", outside), ("create", outside), ("delete", outside),
      ("frozenAdd", outside),
      ("frozenIndex", "Index 1 is out of bounds."), ("unmanagedIndex", "Index 0 is out of bounds."),
      ("unmanagedRemove", "Index 0 is out of bounds."), ("unmanagedFreeze", "[Crate]"),
      ("lendPart", lent), ("lendUpperCase", lent), ("lendSometimes", lent),
      ("projected", "A projected property of CrateView cannot be set"),
    ])
  func misuseTraps(_ what: String, _ message: String) throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    let process = TestProcess(
      ["realmMisuse", store.path, what], environment: ["SWIFT_BACKTRACE=enable=no"])
    let lines = process.lines()
    #expect(lines.contains("ready") && !lines.contains("went on"))
    #expect(lines.contains { $0.contains(message) }, "\(lines)")
    // The process ended by a signal.
    #expect(process.wait() & 0x7F != 0)
  }
}
