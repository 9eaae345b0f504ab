import VarveCore

extension ObjectBase {
  /// Creates an unmanaged object from a dictionary, an array in the order of the properties, or
  /// another object.
  ///
  /// Nested dictionaries and arrays create nested objects, to any depth; objects in the value are
  /// linked. Properties missing in the value keep their defaults, and keys that the class does not
  /// declare are ignored. A value that does not fit is recorded, and the write that adds the object
  /// throws the error. To throw it immediately, use ``init(validating:)``.
  ///
  /// - Parameter value: `[String: Any]`, `[Any]`, the result of `JSONSerialization`, or an object
  ///   of this class or a subclass.
  /// - Complexity: O(n), where n is the number of values, including nested ones.
  public convenience init(value: Any) {
    self.init()
    ValueReader.fill(self, from: value)
  }

  /// Creates an unmanaged object from a value, and throws an error when the value does not fit. See
  /// ``init(value:)``.
  ///
  /// - Throws: `Realm.Error` with the class, the property and the value.
  public convenience init(validating value: Any) throws {
    self.init(value: value)
    if let failure = notedFailure { throw Realm.Error(failure) }
  }

  /// The name under which the class is stored. It cannot be overridden.
  public static func className() -> String { String(describing: self) }

  /// The realm of a managed object; nil for an unmanaged one.
  public var realm: Realm? { handle.context.flatMap(Realm.of) }

  /// Whether the object was deleted, or added in a write that was rolled back. False for an
  /// unmanaged object.
  public var isInvalidated: Bool { handle.isManaged && !handle.exists }

  /// Whether the object is frozen: pinned to one version. See ``freeze(file:line:)``.
  public var isFrozen: Bool { handle.context?.isFrozen ?? false }
}
