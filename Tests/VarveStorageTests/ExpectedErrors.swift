import Testing
import VarveStorage

/// The code that a call throws; nil when it throws nothing, or something else.
func errorCode<R: ~Copyable>(_ call: () throws -> R) -> StorageError.Code? {
  do {
    _ = try call()
    return nil
  } catch {
    return (error as? StorageError)?.code
  }
}

// A function and not `#expect`: inside a closure, a closure in the argument of a macro may get the
// number of another one beside it, and then one of them runs in place of both.

/// Expects that a call throws an error of the storage with a code.
func expectError<R: ~Copyable>(
  _ code: StorageError.Code, sourceLocation: SourceLocation = #_sourceLocation,
  _ call: () throws -> R
) {
  let found = errorCode(call)
  #expect(found == code, sourceLocation: sourceLocation)
}
