import Foundation
import Varve
import VarveTestSupport

/// A class for the tests of realms, with a property of every kind that a thread-safe reference
/// resolves.
@Model final class Buoy: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var depth = 0
  @Persisted var padding: Data
  @Persisted var bearings: List<Int>
  @Persisted var notes: Map<String, String>
  @Persisted var colours: MutableSet<String>
  @Persisted var neighbour: Buoy?
  @Persisted(originProperty: "neighbour") var neighbours: LinkingObjects<Buoy>

  convenience init(_ id: Int, depth: Int = 0) {
    self.init()
    self.id = id
    self.depth = depth
  }
}

/// The same class, with another type for one property.
enum Changed {
  @Model final class Buoy: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: Int
  }
}

/// A child process that opens a store and pins a version of it until `go()` is called.
func pinningProcess(_ store: TemporaryRealm) -> TestProcess {
  let process = TestProcess(["viewPin", store.path])
  _ = process.line()
  return process
}

/// Commits the given number of versions, each with a large value that replaces the previous one.
func grow(_ realm: Realm, versions: Int, bytes: Int = 100_000) throws {
  for _ in 0..<versions {
    try realm.write {
      let buoy = realm.create(Buoy.self, value: ["id": 1], update: .modified)
      buoy.depth += 1
      buoy.padding = Data(repeating: UInt8(buoy.depth & 255), count: bytes)
    }
  }
}

/// Fills a store with one object and closes it.
func fillAndClose(_ store: TemporaryRealm) throws {
  let realm = try store.open()
  try realm.write { realm.add(Buoy(1)) }
  try store.close()
}
