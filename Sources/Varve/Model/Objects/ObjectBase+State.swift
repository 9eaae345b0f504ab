import VarveCore

extension ObjectBase {
  /// Makes an unmanaged object from a dictionary, an array in the order of the properties, or another
  /// object.
  ///
  /// Nested dictionaries and arrays make nested objects, to any depth; objects are linked to. What the value lacks
  /// keeps its default; keys that the class does not have are ignored. What does not fit is remembered, and the write that adds the object throws it;
  /// to have it thrown at once use ``init(validating:)``.
  ///
  /// - Parameter value: `[String: Any]`, `[Any]`, what `JSONSerialization` gives, or an object of this
  ///   class or of one derived from it.
  /// - Complexity: O(parts of the value).
  public convenience init(value: Any) {
    self.init()
    ValueReader.fill(self, from: value)
  }

  /// As ``init(value:)``, but throws at once.
  ///
  /// - Parameter value: as for ``init(value:)``.
  /// - Throws: `Realm.Error` naming class, property and value when something does not fit.
  public convenience init(validating value: Any) throws {
    self.init(value: value)
    if let failure = notedFailure { throw Realm.Error(failure) }
  }

  /// The name under which the class is stored. A class cannot give itself another one.
  public static func className() -> String { String(describing: self) }

  /// The realm of a managed object; nil for an unmanaged one.
  public var realm: Realm? { handle.context.flatMap(Realm.of) }

  /// Whether the object was deleted, or added in a write that was rolled back. False for an unmanaged
  /// object.
  public var isInvalidated: Bool { handle.isManaged && !handle.exists }

  /// Whether the object is pinned to one version; see `freeze()`.
  public var isFrozen: Bool { handle.context?.isFrozen ?? false }
}
