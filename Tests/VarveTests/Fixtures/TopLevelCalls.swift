import Foundation
import Varve

// Calls at the top level of `main.swift`. There, Swift 6.3 chooses the synchronous one of two overloads, even if `await`
// stands before the call, and then refuses it. `.ci/check-refusals` type-checks this file.

@Model final class Person: Object {
  @Persisted var age = 0
}

let realm = try await Realm.open()
let ada = Person()
let url = URL(filePath: "copy.varve")

// expected-error@+2 {{(in main.swift 'asyncWrite')}}
// expected-warning@+1 {{no 'async' operations occur within 'await' expression}}
try await realm.write { realm.add(ada) }
// expected-error@+1 {{(in main.swift 'asyncWrite')}}
try realm.write { realm.add(ada) }
// expected-error@+2 {{use 'try await' (in main.swift inside a function)}}
// expected-warning@+1 {{no 'async' operations occur within 'await' expression}}
try await realm.writeCopy(toFile: url)

// What compiles.
try await realm.asyncWrite { realm.add(ada) }
try await realm.write(grouping: true) { ada.age += 1 }
try await realm.writeCopy(toFile: url) { progress in print(progress.fractionCompleted) }

func change() async throws {
  try await realm.write { ada.age += 1 }
  try await realm.writeCopy(toFile: url)
}
try await change()
