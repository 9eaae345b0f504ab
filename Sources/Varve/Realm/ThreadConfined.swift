import VarveCore

/// What belongs to a realm: objects, lists, sets, maps, results and linking objects.
///
/// The name is that of the Realm SDK. Nothing here is confined: each may be used from any thread or task.
public protocol ThreadConfined: Sendable {
  /// The realm; nil for what is unmanaged, or belongs to a realm that was invalidated.
  var realm: Realm? { get }
  /// Whether the object, or that which the collection belongs to, was deleted. False for what is unmanaged and for
  /// results of all objects of a class.
  var isInvalidated: Bool { get }
  /// Whether it is pinned to one version.
  var isFrozen: Bool { get }

  /// The same, pinned to the version that it reads now; inside a write, to the version before it.
  ///
  /// - Parameters:
  ///   - file: where pins are told of, they are named by it.
  ///   - line: the line in the file.
  /// - Returns: the frozen value.
  /// - Precondition: it is managed. What is unmanaged traps; inside a write it dooms the write with `.unmanaged` and is
  ///   given back as it is.
  func freeze(file: StaticString, line: UInt) -> Self
  /// The live value.
  ///
  /// - Returns: nil when it does not exist any more, and for what is unmanaged.
  func thaw() -> Self?
  /// The same in another realm of the same store.
  ///
  /// - Parameter realm: the realm.
  /// - Returns: nil when it does not exist there.
  func _$resolved(in realm: Realm) -> Self?
}

extension ThreadConfined {
  /// The same, pinned to the version that it reads now.
  ///
  /// - Parameters:
  ///   - _$file: where pins are told of, they are named by it; leave it out.
  ///   - _$line: the line in the file.
  /// - Returns: the frozen value.
  public func freeze(_$file: StaticString = #fileID, _$line: UInt = #line) -> Self {
    // Under other names than the requirement has, which this would else become.
    freeze(file: _$file, line: _$line)
  }
}

extension ObjectBase: ThreadConfined {
  /// The same object in another realm of the same store; nil when it does not exist there.
  public func _$resolved(in realm: Realm) -> Self? {
    let context = realm.context
    guard handle.context?.store === context.store, !handle.isRolledBack else { return nil }
    let attachment = context.attachment(forObject: handle.id, info.description)
    let object = Self.handle(handle.id, attachment.binding, in: attachment.context)
    return object.isInvalidated ? nil : object
  }
}

extension Results: ThreadConfined {
  /// The same results in another realm of the same store; nil when what they are of does not exist there.
  public func _$resolved(in realm: Realm) -> Results? {
    let other = realm.context.forked()
    guard context.store === other.store, !context.isInvalidated else { return nil }
    let results = moved(to: other)
    return results.isInvalidated ? nil : results
  }
}

extension LinkingObjects: ThreadConfined {
  /// The same linking objects in another realm of the same store; nil when their object does not exist there.
  public func _$resolved(in realm: Realm) -> LinkingObjects? {
    results?._$resolved(in: realm).map(LinkingObjects.init)
  }
}
