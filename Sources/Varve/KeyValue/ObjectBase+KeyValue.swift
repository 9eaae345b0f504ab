import Foundation
import VarveCore
import VarveEncoding

/// Properties by names that are known only when the program runs.
extension ObjectBase {
  /// The value of a property.
  ///
  /// Integers come in their declared width, enumerations as their raw values, objects and collections as
  /// themselves.
  ///
  /// - Parameter key: the name of a persisted property; `self` stands for the object.
  /// - Returns: the value; nil for null.
  /// - Throws: `Realm.Error`: `.unknownProperty`, `.invalidatedObject` for a deleted object.
  public func value(forKey key: String) throws -> Any? {
    try Realm.Error.translating { try keyedValue(key) }
  }

  /// What a key path leads to, over links and collections.
  ///
  /// ```swift
  /// try person.value(forKeyPath: "home.city")
  /// try person.value(forKeyPath: "dogs.@avg.age")
  /// ```
  ///
  /// Behind a list, results or linking objects stands a property of each element, which gives an array; behind
  /// a map, a key of it; behind each of them an operator: `@count`, or one of `@min`, `@max`, `@sum`, `@avg`,
  /// `@unionOfObjects`, `@distinctUnionOfObjects`, `@unionOfArrays` and `@distinctUnionOfArrays` with the name
  /// of a property, or `self`. The unions leave nulls out.
  ///
  /// - Parameter keyPath: names with dots between them.
  /// - Returns: the value; nil for null, and behind a link that is null.
  /// - Throws: `Realm.Error`: `.unknownProperty`, `.invalidatedObject`; `.invalidInput` for a path that goes
  ///   on behind a value, and for an operator that there is not, that lacks its property, has a nested key
  ///   path or does not work on values of that type.
  public func value(forKeyPath keyPath: String) throws -> Any? {
    try Realm.Error.translating {
      try KeyPathWalk.value(self, try KeyPathWalk.names(keyPath, info.name))
    }
  }

  /// Sets a property.
  ///
  /// The value is one that ``init(value:)`` takes for the property: numbers that are exact, nested
  /// dictionaries and arrays for objects, arrays and dictionaries for collections.
  ///
  /// - Parameters:
  ///   - value: the value; nil, or `NSNull`, for null.
  ///   - key: the name of a persisted property.
  /// - Throws: `Realm.Error`: `.unknownProperty`, `.typeMismatch`, `.missingValue`, `.invalidInput` for linking
  ///   objects, `.notInWriteTransaction`, `.frozen` or `.invalidatedObject`; nothing is changed then. What the
  ///   write itself refuses, such as another primary key, dooms it and is thrown as well.
  public func setValue(_ value: Any?, forKey key: String) throws {
    try Realm.Error.translating { try setKeyedValue(value, key) }
  }

  /// A property by its name; see ``value(forKey:)`` and ``setValue(_:forKey:)``.
  ///
  /// What these throw cannot be thrown here. Inside a write it dooms the write. Outside of one, reading gives
  /// nil; setting a property of an unmanaged object is remembered by the object, and thrown by the write that
  /// adds it.
  ///
  /// - Parameter key: the name of a persisted property.
  /// - Precondition: a managed object is set inside a write.
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
        precondition(
          !handle.isManaged,
          "A managed object of class \(info.name) was changed outside a write transaction.")
        noteFailure(error)
      }
    }
  }

  /// The value of a property; nil for null.
  func keyedValue(_ key: String) throws(Failure) -> Any? {
    if handle.isManaged, !handle.exists { throw .invalidatedObject(info.name, key) }
    if key == "self" { return self }
    guard let slot = info.slot(named: key) else { throw Failure.unknownProperty(key, info.name) }
    let property = info.properties[slot]
    // Linking objects have no box.
    if property.originProperty != nil { return property.valueType._$get(self, slot) }
    return property.read(self, slot).keyedValue(as: property.type)
  }

  /// Sets a property; throws what is wrong.
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
  /// Runs a change of what was read through the context; what dooms the write meanwhile is thrown.
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
