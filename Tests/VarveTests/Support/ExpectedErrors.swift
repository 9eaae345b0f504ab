import Testing
import Varve

/// The error that a test throws to roll back a write.
struct Cancelled: Error {}

// These are functions and not `#expect` because of a compiler bug: inside a closure, a closure in
// the argument of a macro may get the number of a closure next to it, and then one of the two runs
// in place of both.

/// Expects that a call throws an error of the library with the given code.
func expectError<R>(
  _ code: Realm.Error.Code, sourceLocation: SourceLocation = #_sourceLocation,
  _ call: () throws -> R
) {
  let found = errorCode(call)
  #expect(found == code, sourceLocation: sourceLocation)
}

/// Expects that a call throws ``Cancelled``.
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

/// Expects that a task ended because it was cancelled.
func expectCancellation<R>(
  of task: Task<R, any Error>, sourceLocation: SourceLocation = #_sourceLocation
) async {
  let result = await task.result
  #expect(throws: CancellationError.self, sourceLocation: sourceLocation) { try result.get() }
}

/// Expects that an asynchronous call throws an error of the library with the given code.
func expectErrorOfTask<R>(
  _ code: Realm.Error.Code, sourceLocation: SourceLocation = #_sourceLocation,
  _ call: () async throws -> R
) async {
  do {
    _ = try await call()
    Issue.record("Nothing was thrown.", sourceLocation: sourceLocation)
  } catch {
    #expect((error as? Realm.Error)?.code == code, "\(error)", sourceLocation: sourceLocation)
  }
}

/// Expects that an asynchronous call throws an error of the given type.
func expectThrown<E: Error, R>(
  _ type: E.Type, sourceLocation: SourceLocation = #_sourceLocation,
  _ call: () async throws -> R
) async {
  do {
    _ = try await call()
    Issue.record("Nothing was thrown.", sourceLocation: sourceLocation)
  } catch {
    #expect(error is E, "\(error)", sourceLocation: sourceLocation)
  }
}
