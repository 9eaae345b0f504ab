import Varve

/// The error of the library that a call throws; nil when it throws nothing or another error.
func thrownError<R>(_ call: () throws -> R) -> Realm.Error? {
  do {
    _ = try call()
    return nil
  } catch {
    return error as? Realm.Error
  }
}
