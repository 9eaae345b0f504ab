import VarveCore
import VarveLocks

/// A reference that passes an object or a collection to another realm of the same store.
///
/// ```swift
/// let reference = ThreadSafeReference(to: dog)
/// Task {
///   let realm = try Realm()
///   guard let dog = realm.resolve(reference) else { return }  // It was deleted.
///   …
/// }
/// ```
///
/// The type exists for code that was written for the Realm SDK. In Varve, the object itself may be
/// passed to any thread, and `Realm.resolve(_:)` accepts it. A reference may be resolved any number
/// of times.
///
/// It retains the value, and so its realm.
///
/// Thread safety: any thread may use it.
public struct ThreadSafeReference<Confined: ThreadConfined>: Sendable {
  let value: Confined

  /// Creates a reference to an object or a collection.
  ///
  /// - Parameter threadConfined: The value to refer to. A reference to an unmanaged value resolves
  ///   to nil.
  public init(to threadConfined: Confined) { value = threadConfined }

  /// Whether the value no longer exists in the realm that it came from.
  public var isInvalidated: Bool { value.isInvalidated }
}

extension Realm {
  /// Returns an object or a collection of another realm of the same store, in this realm. The
  /// result is frozen if this realm is.
  ///
  /// - Parameter value: The object or collection, live or frozen.
  /// - Returns: Nil when it does not exist in this realm's version, is unmanaged, or belongs to
  ///   another store.
  public func resolve<Confined: ThreadConfined>(_ value: Confined) -> Confined? {
    value._$resolved(in: self)
  }

  /// Returns the object or the collection of a reference, in this realm; see
  /// ``resolve(_:)-(Confined)``. The reference may be resolved again.
  ///
  /// - Returns: Nil when it does not exist in this realm's version.
  public func resolve<Confined: ThreadConfined>(
    _ reference: ThreadSafeReference<Confined>
  ) -> Confined? {
    resolve(reference.value)
  }
}

/// A variable that all threads may use, and that reads as nil once its object or collection was
/// deleted.
///
/// ```swift
/// @ThreadSafe var dog = realm.objects(Dog.self).first
/// Task { [_dog] in
///   try await realm.write { _dog.wrappedValue?.age += 1 }
/// }
/// ```
///
/// The type exists for code that was written for the Realm SDK. In Varve, any variable may contain
/// an object.
///
/// Thread safety: a lock guards the value.
@propertyWrapper
public final class ThreadSafe<Confined: ThreadConfined>: Sendable {
  /// Guards the value.
  private let value: Lock<Confined?>

  /// Creates the variable.
  public init(wrappedValue: Confined?) { value = Lock(wrappedValue) }

  /// The object or the collection; nil when it no longer exists.
  public var wrappedValue: Confined? {
    get {
      let value = value.withLock { $0 }
      return value?.isInvalidated == true ? nil : value
    }
    set {
      // The old value is released outside of the lock: its deinitialization may run code of the
      // model.
      _ = value.withLock { current in
        defer { current = newValue }
        return current
      }
    }
  }
}
