import Foundation
import VarveCore
import VarveEncoding

/// Access to properties by names that are known only at run time.
extension ObjectBase {
  /// Returns the value of a property.
  ///
  /// Integers have their declared width, enumerations are returned as their raw values, and objects
  /// and collections as themselves.
  ///
  /// - Parameter key: The name of a persisted property; `self` stands for the object.
  /// - Returns: The value; nil for null.
  /// - Throws: `Realm.Error`: `.unknownProperty`, `.invalidatedObject` for a deleted object.
  public func value(forKey key: String) throws -> Any? {
    try Realm.Error.translating { try keyedValue(key) }
  }

  /// Evaluates a key path, through links and collections.
  ///
  /// ```swift
  /// try person.value(forKeyPath: "home.city")
  /// try person.value(forKeyPath: "dogs.@avg.age")
  /// ```
  ///
  /// After a list, set, results or linking objects, the next name is a property of each element,
  /// and the result is an array; after a set, a Swift set. After a map, the next name is a key of
  /// the map. After any collection, it may also be an operator: `@count`, or one of `@min`, `@max`,
  /// `@sum`, `@avg`, `@unionOfObjects`, `@distinctUnionOfObjects`, `@unionOfArrays` and
  /// `@distinctUnionOfArrays`, followed by the name of a property or `self`. The unions omit nulls.
  ///
  /// - Parameter keyPath: Names separated by dots.
  /// - Returns: The value; nil for null, and after a null link.
  /// - Throws: `Realm.Error`: `.unknownProperty`, `.invalidatedObject`; `.invalidInput` for a path
  ///   that continues after a value, and for an operator that does not exist, that lacks its
  ///   property, has a nested key path or does not support values of that type.
  public func value(forKeyPath keyPath: String) throws -> Any? {
    try Realm.Error.translating {
      try KeyPathWalk.value(self, try KeyPathWalk.names(keyPath, info.name))
    }
  }

  /// Sets the value of a property.
  ///
  /// The value is one that ``init(value:)`` accepts for the property: an exact number, a nested
  /// dictionary or array for an object, an array or a dictionary for a collection.
  ///
  /// - Parameters:
  ///   - value: The new value; nil, or `NSNull`, for null.
  ///   - key: The name of a persisted property.
  /// - Throws: `Realm.Error`: `.unknownProperty`, `.typeMismatch`, `.missingValue`, `.invalidInput`
  ///   for linking objects, `.notInWriteTransaction`, `.frozen` or `.invalidatedObject`; nothing is
  ///   changed then. An error of the write itself, such as a changed primary key, marks the
  ///   transaction as failed and is thrown as well.
  public func setValue(_ value: Any?, forKey key: String) throws {
    try Realm.Error.translating { try setKeyedValue(value, key) }
  }

  /// The value of the property with a name; see ``value(forKey:)`` and ``setValue(_:forKey:)``.
  ///
  /// The subscript cannot throw the errors of these methods. Inside a write, an error marks the
  /// transaction as failed. Outside of a write, a failed read returns nil. A failed assignment to
  /// an unmanaged object is recorded, and the write that adds the object throws the error.
  ///
  /// - Parameter key: The name of a persisted property.
  /// - Precondition: A managed object is changed only inside a write.
  public subscript(key: String) -> Any? {
    get {
      do throws(Failure) {
        return try keyedValue(key)
      } catch {
        _ = Store.failWritesOfThread(error)
        return nil
      }
    }
    set {
      do throws(Failure) {
        try setKeyedValue(newValue, key)
      } catch {
        guard Store.failWritesOfThread(error) == nil else { return }
        Misuse.require(
          !handle.isManaged,
          "A managed object of class \(info.name) was changed outside a write transaction.")
        noteFailure(error)
      }
    }
  }

  /// Returns the value of a property; nil for null.
  func keyedValue(_ key: String) throws(Failure) -> Any? {
    if handle.isManaged, !handle.exists { throw .invalidatedObject(info.name, key) }
    if key == "self" { return self }
    guard let slot = info.slot(named: key) else { throw Failure.unknownProperty(key, info.name) }
    let property = info.properties[slot]
    // Linking objects have no box.
    if property.originProperty != nil { return property.valueType._$get(self, slot) }
    return property.read(self, slot).keyedValue(as: property.type)
  }

  /// Sets a property, or throws its error.
  private func setKeyedValue(_ value: Any?, _ key: String) throws(Failure) {
    let value = value ?? NSNull()
    guard let context = handle.context else {
      return try ValueReader.set(value, forKey: key, of: self)
    }
    if !context.isFrozen, context.store.runningTransaction(for: context.view) != nil,
      !handle.exists
    {
      throw .invalidatedObject(info.name, key)
    }
    try context.change(className: info.name, propertyName: key) { () throws(Failure) in
      try ValueReader.set(value, forKey: key, of: self)
    }
  }
}

extension ReadContext {
  /// Runs a change of a value that was read through the context, and throws the failure that it
  /// marks the transaction with.
  ///
  /// - Throws: `.frozen`, `.notInWriteTransaction`.
  func change(
    className: String, propertyName: String, _ body: () throws(Failure) -> Void
  ) throws(Failure) {
    guard !isFrozen else {
      throw Failure(
        .frozen, "A frozen object cannot be changed.", className: className,
        propertyName: propertyName)
    }
    guard let transaction = store.runningTransaction(for: view) else {
      throw Failure(
        .notInWriteTransaction, "A managed object can be changed only inside a write.",
        className: className, propertyName: propertyName)
    }
    let hadFailure = transaction.hasFailure
    try body()
    if !hadFailure, let failure = transaction.failure { throw failure }
  }
}
