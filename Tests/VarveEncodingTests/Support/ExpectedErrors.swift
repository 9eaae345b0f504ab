import Testing
import VarveEncoding

// Functions instead of `#expect`: inside a closure, a closure in the argument of a macro may get
// the number of another closure next to it, and then one of them runs instead of both.

/// Expects that a call throws a format error, with a specific reason or with any.
func expectError<R>(
  _ reason: FormatError.Reason? = nil, _ comment: @autoclosure () -> Comment? = nil,
  sourceLocation: SourceLocation = #_sourceLocation, _ call: () throws -> R
) {
  let error = thrownError(call)
  #expect(error != nil, comment(), sourceLocation: sourceLocation)
  if let reason { #expect(error?.reason == reason, comment(), sourceLocation: sourceLocation) }
}

/// The format error that a call throws; nil when it throws nothing or another error.
func thrownError<R>(_ call: () throws -> R) -> FormatError? {
  do {
    _ = try call()
    return nil
  } catch {
    return error as? FormatError
  }
}
