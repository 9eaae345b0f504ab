import Testing
import Varve

/// What a test throws to have a write rolled back.
struct Cancelled: Error {}

// Functions and not `#expect`: closures inside a closure in the argument of a macro are compiled
// under the names of others beside it, and then those are what runs.

/// Expects that a call throws an error of the library with a code.
func expectError<R>(
  _ code: Realm.Error.Code, sourceLocation: SourceLocation = #_sourceLocation,
  _ call: () throws -> R
) {
  let found = errorCode(call)
  #expect(found == code, sourceLocation: sourceLocation)
}

/// Expects that a call ends with ``Cancelled``.
func expectCancelled<R>(
  sourceLocation: SourceLocation = #_sourceLocation, _ call: () throws -> R
) {
  do {
    _ = try call()
    Issue.record("The call was not cancelled.", sourceLocation: sourceLocation)
  } catch is Cancelled {
  } catch {
    Issue.record(error, sourceLocation: sourceLocation)
  }
}
