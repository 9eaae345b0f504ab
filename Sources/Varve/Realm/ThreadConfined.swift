import VarveCore

/// A value that belongs to a realm: an object, list, set, map, results or linking objects.
///
/// The protocol has its name from the Realm SDK. Conforming values are not confined: any thread or
/// task may use them.
public protocol ThreadConfined: Sendable {
  /// The realm of the value; nil for an unmanaged value, and after the realm was invalidated.
  var realm: Realm? { get }
  /// Whether the object, or the owner of the collection, was deleted. False for unmanaged values
  /// and for results of all objects of a class.
  var isInvalidated: Bool { get }
  /// Whether the value is pinned to one version.
  var isFrozen: Bool { get }

  /// Returns a copy that is pinned to the version that the value reads now; inside a write, to the
  /// version before the write.
  ///
  /// - Parameters:
  ///   - file: The caller's file, recorded for storage reports.
  ///   - line: The caller's line.
  /// - Precondition: The value is managed. An unmanaged value traps; inside a write it marks the
  ///   transaction as failed with `.unmanaged` and is returned unchanged.
  func freeze(file: StaticString, line: UInt) -> Self
  /// Returns the live value.
  ///
  /// - Returns: Nil when it no longer exists, and for an unmanaged value.
  func thaw() -> Self?
  /// Returns the value in another realm of the same store.
  ///
  /// - Returns: Nil when it does not exist there.
  func _$resolved(in realm: Realm) -> Self?
}

extension ThreadConfined {
  /// Returns a copy that is pinned to the version that the value reads now.
  ///
  /// - Parameters:
  ///   - _$file: The caller's file, recorded for storage reports. Don't pass this argument.
  ///   - _$line: The caller's line.
  public func freeze(_$file: StaticString = #fileID, _$line: UInt = #line) -> Self {
    // The parameters have other names than those of the requirement: otherwise this method would
    // implement it.
    freeze(file: _$file, line: _$line)
  }
}

extension ObjectBase: ThreadConfined {
  /// Returns the object in another realm of the same store; nil when it does not exist there.
  public func _$resolved(in realm: Realm) -> Self? {
    let context = realm.context
    guard handle.context?.store === context.store, !handle.isRolledBack else { return nil }
    let attachment = context.attachment(forObject: handle.id, info.description)
    let object = Self.handle(handle.id, attachment.binding, in: attachment.context)
    return object.isInvalidated ? nil : object
  }
}

extension Results: ThreadConfined {
  /// Returns the results in another realm of the same store; nil when their owner does not exist
  /// there.
  public func _$resolved(in realm: Realm) -> Results? {
    let other = realm.context.forked()
    guard context.store === other.store, !context.isInvalidated else { return nil }
    let results = moved(to: other)
    return results.isInvalidated ? nil : results
  }
}

extension LinkingObjects: ThreadConfined {
  /// Returns the linking objects in another realm of the same store; nil when their target does not
  /// exist there.
  public func _$resolved(in realm: Realm) -> LinkingObjects? {
    results?._$resolved(in: realm).map(LinkingObjects.init)
  }
}
