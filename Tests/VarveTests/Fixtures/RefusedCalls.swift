import Dispatch
import Foundation
import Varve
import VarveJSONLines

// What the compiler says of synchronous calls in asynchronous code that keep their thread waiting.
// `.ci/check-refusals` type-checks this file and compares the errors with those that are expected here. What has no
// `expected-` above it must compile.

@Model final class Person: Object {
  @Persisted var age = 0
}

// expected-note@+1 2 {{class 'Counter' does not conform to the 'Sendable' protocol}}
final class Counter {
  var count = 0
}

// MARK: A forgotten `await`

func withoutAwait(_ realm: Realm, _ ada: Person, _ token: NotificationToken) async throws {
  // expected-error@+2 {{expression is 'async' but is not marked with 'await'}}
  // expected-note@+1 {{call is 'async'}}
  try realm.write { ada.age += 1 }
  // expected-error@+2 {{expression is 'async' but is not marked with 'await'}}
  // expected-note@+1 {{call is 'async'}}
  let age = try realm.write { ada.age }
  // expected-error@+2 {{expression is 'async' but is not marked with 'await'}}
  // expected-note@+1 {{call is 'async'}}
  try? realm.write(withoutNotifying: [token]) {
    ada.age += age
    realm.add(ada)
  }
}

actor Desk {
  let realm: Realm
  // expected-note@+1 {{mutation of this property is only permitted within the actor}}
  var count = 0

  init(_ realm: Realm) { self.realm = realm }

  func withoutAwait() async throws {
    // expected-error@+2 {{expression is 'async' but is not marked with 'await'}}
    // expected-note@+1 {{call is 'async'}}
    try realm.write {}
  }

  func inTask() {
    // expected-error@+1 {{use 'try await realm.write { … }'}}
    Task { try realm.write {} }
  }
}

func inTasks(_ realm: Realm, _ ada: Person) async throws {
  // expected-error@+1 {{'write' is unavailable from asynchronous contexts; it blocks its thread; use 'try await}}
  Task { try realm.write { ada.age += 1 } }
  // expected-error@+1 {{use 'try await realm.write { … }'}}
  Task.detached { try realm.write { ada.age += 1 } }
  // expected-error@+1 {{use 'try await realm.write { … }'}}
  let body: @Sendable () async throws -> Void = { try realm.write { ada.age += 1 } }
  try await body()
  try await withThrowingTaskGroup(of: Void.self) { group in
    // expected-error@+1 {{use 'try await realm.write { … }'}}
    group.addTask { try realm.write { ada.age += 1 } }
    try await group.waitForAll()
  }
}

// MARK: What a closure of an asynchronous write may not do

func withCaptures(_ realm: Realm, _ counter: Counter) async throws {
  var count = 0
  // expected-error@+1 {{mutation of captured var 'count' in concurrently-executing code}}
  try await realm.write { count += 1 }
  // expected-error@+1 {{capture of 'counter' with non-Sendable type 'Counter'}}
  try await realm.write { counter.count += 1 }
  // expected-error@+1 {{type 'Counter' does not conform to the 'Sendable' protocol}}
  _ = try await realm.write { Counter() }
}

func withAFunction(_ realm: Realm, _ body: () throws -> Void) async throws {
  // expected-error@+1 {{use 'try await realm.write { … }'}}
  try realm.write(body)
}

extension Desk {
  func withItsState() async throws {
    // expected-error@+1 {{actor-isolated property 'count' can not be mutated from a Sendable closure}}
    try await realm.write { self.count += 1 }
  }
}

// MARK: Writes that are begun by a call

func withBegunWrites(_ realm: Realm) async throws {
  // expected-error@+1 {{a task may change its thread; use 'try await realm.write { … }'}}
  try realm.beginWrite()
  // expected-error@+1 {{a task may change its thread; use 'try await realm.write { … }'}}
  try realm.commitWrite()
  // expected-error@+1 {{a task may change its thread; call it inside the closure of a write}}
  realm.cancelWrite()
}

// MARK: Other calls that keep their thread

func withoutAwait(_ realm: Realm, _ url: URL, _ configuration: Realm.Configuration) async throws {
  // expected-error@+2 {{expression is 'async' but is not marked with 'await'}}
  // expected-note@+1 {{call is 'async'}}
  try realm.writeCopy(toFile: url)
  // expected-error@+2 {{expression is 'async' but is not marked with 'await'}}
  // expected-note@+1 {{call is 'async'}}
  try realm.writeCopy(configuration: configuration)
  // expected-error@+2 {{expression is 'async' but is not marked with 'await'}}
  // expected-note@+1 {{call is 'async'}}
  try realm.exportJSONLines(to: url)
  // expected-error@+2 {{expression is 'async' but is not marked with 'await'}}
  // expected-note@+1 {{call is 'async'}}
  try realm.importJSONLines(from: url) { done, total in print(done, total ?? 0) }
  // expected-error@+2 {{expression is 'async' but is not marked with 'await'}}
  // expected-note@+1 {{call is 'async'}}
  try realm.register(Person.self)
  // expected-error@+2 {{expression is 'async' but is not marked with 'await'}}
  // expected-note@+1 {{call is 'async'}}
  try Realm.performMigration()
}

func inTasks(_ realm: Realm, _ url: URL, _ configuration: Realm.Configuration) {
  // expected-error@+1 {{it blocks its thread; use 'try await'}}
  Task { try realm.writeCopy(toFile: url) }
  // expected-error@+1 {{it blocks its thread; use 'try await'}}
  Task { try realm.writeCopy(configuration: configuration) }
  // expected-error@+1 {{it blocks its thread; use 'try await'}}
  Task { try realm.exportJSONLines(to: url) }
  // expected-error@+1 {{it blocks its thread; use 'try await'}}
  Task { try realm.importJSONLines(from: url) }
  // expected-error@+1 {{it blocks its thread; use 'try await'}}
  Task { try realm.register(Person.self) }
  // expected-error@+1 {{it blocks its thread; use 'try await'}}
  Task { try Realm.performMigration(for: configuration) }
}

func inAsynchronousCode(
  _ realm: Realm, _ url: URL, _ configuration: Realm.Configuration
) async throws {
  try await realm.writeCopy(toFile: url)
  try await realm.writeCopy(toFile: url) { progress in print(progress.fractionCompleted) }
  try await realm.writeCopy(configuration: configuration)
  try await realm.writeCopy(configuration: configuration) { print($0.totalBytes) }
  let file = try FileHandle(forUpdating: url)
  try await realm.exportJSONLines(to: url, classes: ["Person"]) { done, _ in print(done) }
  try await realm.exportJSONLines(to: file)
  try await realm.importJSONLines(from: url)
  let count = try await realm.importJSONLines(from: file) { done, _ in print(done) }
  try await realm.register(Person.self)
  try await Realm.performMigration()
  try await Realm.performMigration(for: configuration)
  let opened = try await Realm.open(configuration: configuration) {
    print($0.fractionCompleted, count)
  }
  _ = try await Realm.open(configuration: configuration) == opened
}

func inSynchronousCode(
  _ realm: Realm, _ url: URL, _ configuration: Realm.Configuration
) throws {
  try realm.writeCopy(toFile: url)
  try realm.writeCopy(configuration: configuration)
  var last = 0
  try realm.exportJSONLines(to: url) { done, _ in last = done }
  try realm.importJSONLines(from: url) { done, _ in last = done }
  try realm.register(Person.self)
  try Realm.performMigration()
  print(last)
}

// MARK: Writes that compile

func inAsynchronousCode(_ realm: Realm, _ ada: Person, _ token: NotificationToken) async throws {
  try await realm.write { ada.age += 1 }
  try await realm.write(withoutNotifying: [token]) { realm.cancelWrite() }
  try await realm.write(grouping: false) {
    if ada.age > 3 { return }
    realm.add(ada)
  }
  let ben = try await realm.write {
    let ben = Person()
    realm.add(ben)
    if ben.age > 3 { return ada }
    return ben
  }
  let found: Person? = try await realm.write { nil }
  async let age = realm.write { ben.age }
  let ages = (try await age, try? await realm.write { found?.age ?? 0 })
  if try await realm.write({ ages.0 > 1 }) {}
  let task = Task { try await realm.write { ben } }
  Task.detached { try await realm.write { realm.add(ada) } }
  _ = try await task.value.age
  try await realm.write { try realm.write {} }
  try await generic(realm) { ada.age }
  @Sendable func change() { ada.age += 1 }
  try await realm.write(change)
  try await realm.asyncWrite { ada.age += 1 }
}

struct Ages {
  let realm: Realm
  let ages: [Int]

  init(_ realm: Realm) async throws {
    self.realm = realm
    ages = try await realm.write { [] }
  }

  var first: Int? {
    get async throws { try await realm.write { nil } }
  }

  subscript(index: Int) -> Int {
    get async throws { try await realm.write { index } }
  }
}

func inClosures(_ realm: Realm) async throws {
  let body = { () async throws in try await realm.write {} }
  try await body()
  let ages = { @MainActor in try await realm.write { 1 } }
  print(try await ages())
  await withDiscardingTaskGroup { group in
    group.addTask { _ = try? await realm.write { 1 } }
  }
  for age in [1, 2] where try await realm.write({ age > 1 }) {}
  while try await realm.write({ false }) {}
  switch try await realm.write({ 3 }) {
  case 3: break
  default: try await realm.write {}
  }
  let text = "\(try await realm.write { 1 })"
  guard let age = try await realm.write({ Int(text) }) else { return }
  try await Task.sleep(for: .seconds(age), tolerance: try await realm.write { .zero })
}

@discardableResult
func generic<Value: Sendable>(
  _ realm: Realm, _ make: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await realm.write { try make() }
}

func inSynchronousCode(_ realm: Realm, _ counter: Counter, _ token: NotificationToken) throws {
  var count = 0
  try realm.write { count += 1 }
  try realm.write(withoutNotifying: [token]) { counter.count += 1 }
  _ = try realm.write { Counter() }
  _ = try [1, 2].map { number in try realm.write { number } }
  try realm.beginWrite()
  realm.cancelWrite()
}

/// Closures that are synchronous run on the thread of the task, and so do the writes in them.
func inSynchronousClosures(_ realm: Realm, _ counters: [Person]) async throws {
  let body: () throws -> Void = { try realm.write {} }
  try body()
  try counters.forEach { counter in try realm.write { realm.add(counter) } }
  let lock = NSLock()
  try lock.withLock { try realm.write {} }
  DispatchQueue.global().async { try? realm.write {} }
}

extension Desk {
  func inSynchronousFunction() throws { try realm.write { count += 1 } }

  func inAsynchronousFunction() async throws {
    count += try await realm.write { [count] in count }
  }
}

@MainActor final class Window {
  let realm: Realm
  var count = 0

  init(_ realm: Realm) { self.realm = realm }

  func inSynchronousFunction() throws { try realm.write { count += 1 } }

  func inAsynchronousFunction() async throws {
    count = try await realm.write { [count] in count + 1 }
  }
}
