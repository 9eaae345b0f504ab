import Synchronization
import VarveCore

/// Carries an object or a collection to another realm of the same store.
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
/// The type is for code that was written for the Realm SDK: here the object itself may be handed to any thread, and
/// `Realm.resolve(_:)` takes it as it is. A reference may be resolved any number of times.
///
/// It holds what it refers to, and so its realm.
///
/// Thread safety: any thread may use it.
public struct ThreadSafeReference<Confined: ThreadConfined>: Sendable {
  let value: Confined

  /// Refers to an object or a collection.
  ///
  /// - Parameter threadConfined: what to refer to; what is unmanaged resolves to nil.
  public init(to threadConfined: Confined) { value = threadConfined }

  /// Whether what it refers to does not exist any more in the realm that it came from.
  public var isInvalidated: Bool { value.isInvalidated }
}

extension Realm {
  /// The handle, in this realm, of an object or a collection of another realm of the same store. It is
  /// frozen if the realm is.
  ///
  /// - Parameter value: the object or collection, live or frozen.
  /// - Returns: nil when it does not exist in this realm's version, is unmanaged, or belongs to another store.
  public func resolve<Confined: ThreadConfined>(_ value: Confined) -> Confined? {
    value._$resolved(in: self)
  }

  /// What a reference refers to, in this realm; see ``resolve(_:)-(Confined)``. It may be resolved again.
  ///
  /// - Parameter reference: the reference.
  /// - Returns: nil when it does not exist in this realm's version.
  public func resolve<Confined: ThreadConfined>(
    _ reference: ThreadSafeReference<Confined>
  ) -> Confined? {
    resolve(reference.value)
  }
}

/// A variable, for all threads, that holds an object or a collection, and nil when that was deleted.
///
/// ```swift
/// @ThreadSafe var dog = realm.objects(Dog.self).first
/// Task { try dog?.realm?.write { dog?.age += 1 } }
/// ```
///
/// The type is for code that was written for the Realm SDK: here any variable does.
///
/// Thread safety: a lock guards the value.
@propertyWrapper
public final class ThreadSafe<Confined: ThreadConfined>: Sendable {
  /// Guards the value.
  private let value: Mutex<Confined?>

  /// Makes the variable.
  ///
  /// - Parameter wrappedValue: what it holds.
  public init(wrappedValue: Confined?) { value = Mutex(wrappedValue) }

  /// What it holds; nil when that does not exist any more.
  public var wrappedValue: Confined? {
    get {
      let value = value.withLock { $0 }
      return value?.isInvalidated == true ? nil : value
    }
    set {
      // What it held ends outside of the lock: that may be code of the model.
      _ = value.withLock { held in
        defer { held = newValue }
        return held
      }
    }
  }
}
