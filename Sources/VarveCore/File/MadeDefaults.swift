import VarveEncoding
import VarveLocks

/// The defaults that this process has made for objects that lack them, until they are stored.
///
/// Every read of one property of one object returns the same value, and that value is stored. A
/// store that is only read keeps at most 200,000 values: beyond them, defaults are made again.
///
/// Thread safety: a lock guards the values. The defaults are made under no lock.
final class MadeDefaults: Sendable {
  struct Key: Hashable {
    let object: RowKey
    /// The stored name: the property may not have an id yet.
    let propertyName: String
  }

  /// Guards the values.
  private let values = Lock<[Key: Value]>([:])

  /// Returns the value made for a property of an object; nil if there is none.
  func made(_ object: RowKey, _ propertyName: String) -> Value? {
    values.withLock { $0[Key(object: object, propertyName: propertyName)] }
  }

  /// The number of values from which on stored ones are removed.
  private static let capacity = 100_000

  /// Removes the values of objects in which they are stored, if there are many.
  ///
  /// A thread may have read a version from before they were stored: removing them at once could
  /// make it evaluate a default again.
  func remove(_ objects: [RowKey], _ model: ClassDescription) {
    values.withLock { values in
      guard values.count > Self.capacity else { return }
      for object in objects {
        for property in model.properties {
          values[Key(object: object, propertyName: property.name)] = nil
        }
      }
    }
  }

  /// Returns the value made for a property of an object, made now if there is none.
  func value(_ object: RowKey, _ propertyName: String, _ make: () -> Value) -> Value {
    let key = Key(object: object, propertyName: propertyName)
    if let made = values.withLock({ $0[key] }) { return made }
    let new = make()
    return values.withLock { values in
      let value = values[key] ?? new
      if values.count >= 2 * Self.capacity { values.removeAll() }
      values[key] = value
      return value
    }
  }
}
