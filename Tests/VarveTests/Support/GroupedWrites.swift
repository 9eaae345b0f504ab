import Testing
import Varve
import VarveCore

/// Runs a test with a store whose groups of asynchronous writes are limited by size alone, so that
/// a slow machine does not affect the result.
func withPatientStore(_ body: (Realm, TemporaryRealm) async throws -> Void) async throws {
  let store = try TemporaryRealm()
  defer { store.end() }
  var options = StoreOptions(path: store.path)
  options.durability = .none
  options.mapReservation = 1 << 30
  options.idleLimit = .seconds(3600)
  options.maximumGroupTime = .seconds(600)
  _ = try StoreRegistry.shared.open(options)
  try await body(try store.open(), store)
}

/// Queues writes behind an open write, so that they form one group.
func grouped(
  _ realm: Realm, _ store: TemporaryRealm, grouping: [Bool]? = nil,
  _ closures: [@Sendable () throws -> Void]
) async throws -> [Result<Void, any Error>] {
  let core = try store.configuration.store()
  let held = OpenWrite(store.configuration)
  var tasks: [Task<Void, any Error>] = []
  for (number, closure) in closures.enumerated() {
    let mayShare = grouping?[number] ?? true
    tasks.append(Task { try await realm.asyncWrite(grouping: mayShare) { try closure() } })
    while core.waitingWriteCount <= number { await Task.yield() }
  }
  held.end()
  var results: [Result<Void, any Error>] = []
  for task in tasks { results.append(await task.result) }
  return results
}
