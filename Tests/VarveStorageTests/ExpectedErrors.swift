import Testing
import VarveStorage

/// The code that a call throws; nil when it throws nothing or another error.
func errorCode<R: ~Copyable>(_ call: () throws -> R) -> StorageError.Code? {
  do {
    _ = try call()
    return nil
  } catch {
    return (error as? StorageError)?.code
  }
}

// A function instead of `#expect`: inside a closure, a closure in the argument of a macro may get
// the number of another closure next to it, and then one of them runs instead of both.

/// Expects that a call throws a storage error with a code.
func expectError<R: ~Copyable>(
  _ code: StorageError.Code, sourceLocation: SourceLocation = #_sourceLocation,
  _ call: () throws -> R
) {
  let found = errorCode(call)
  #expect(found == code, sourceLocation: sourceLocation)
}
