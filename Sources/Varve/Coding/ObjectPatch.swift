import VarveCore

/// Some properties of an object, decoded from a document that need not have the others: the body of a `PATCH` request.
///
/// A patch is decoded outside of a write, and applied inside one:
///
/// ```swift
/// let patch = try decoder.decode(ObjectPatch<Issue>.self, from: body)
/// try await realm.write {
///   guard let issue = realm.object(ofType: Issue.self, forPrimaryKey: id) else { return }
///   try patch.apply(to: issue)
/// }
/// ```
/// Only the properties whose keys the document has are set; null sets an optional property to nil, and is an error for
/// another one; a null for a generated primary key counts as none. Lists, sets and maps are replaced as a whole, and so are embedded objects. Keys that the class does not have are
/// ignored. Links are decoded as ``LinkCoding`` says.
///
/// Thread safety: any thread may apply it.
public struct ObjectPatch<Value: ObjectBase & Decodable>: Decodable, Sendable {
  /// An unmanaged object with the values that the document has.
  private let values: Value
  private let slots: [Int]

  /// Decodes the properties that a document has.
  ///
  /// - Parameter decoder: where from.
  /// - Throws: `DecodingError`, also for a class that decodes itself (`init(from:)`) instead of leaving it to `@Model`.
  public init(from decoder: any Decoder) throws {
    let properties = PatchedProperties()
    values = try PatchedProperties.$current.withValue(properties) {
      try Value(from: decoder)
    }
    guard let slots = properties.slots, properties.object === values else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription: "\(Value.self) has an init(from:) of its own: no patch can be decoded.")
      )
    }
    self.slots = slots
  }

  /// The names of the properties that the document has.
  public var propertyNames: [String] { slots.map { values.info.properties[$0].name } }

  /// Sets the properties of an object that the document has.
  ///
  /// Linked objects that were decoded are added to the object's store. They and embedded ones are those of the patch
  /// itself: a patch that has some is applied once.
  ///
  /// - Parameter object: an unmanaged object, or one that the running write may change.
  /// - Throws: `Realm.Error` with `.invalidatedObject` for a deleted object, `.notInWriteTransaction` for a managed one outside
  ///   a write, and `.primaryKeyChanged` when the document has another primary key than the object; nothing is
  ///   set then. What cannot be stored fails the write, as assigning the properties does.
  /// - Complexity: O(properties of the document).
  public func apply(to object: Value) throws {
    if object.isInvalidated {
      throw Realm.Error(.invalidatedObject, "A patch cannot be applied to a deleted object.")
    }
    if let realm = object.realm, !realm.isInWriteTransaction {
      throw Realm.Error(
        .notInWriteTransaction, "A patch is applied to a managed object inside a write.")
    }
    let properties = slots.map { values.info.properties[$0] }
    for property in properties where property.isPrimaryKey {
      guard property.read(values, property.slot).value == property.read(object, property.slot).value
      else {
        throw Realm.Error(
          Failure(
            .primaryKeyChanged, "The patch has another primary key than the object.",
            className: values.info.name, propertyName: property.name,
            value: property.read(values, property.slot).value?.text))
      }
    }
    for property in properties where !property.isPrimaryKey {
      property.coding.copy(values, object, property.slot)
    }
  }
}

/// Which properties of the outermost object a document has, while a patch is decoded.
///
/// Thread safety: one thread at a time, as the decoder.
final class PatchedProperties: @unchecked Sendable {
  // Safe because a decoder calls `init(from:)` on the thread that decodes, and only that one reads it afterwards.

  /// The patch that the running task or thread decodes.
  @TaskLocal static var current: PatchedProperties?

  /// The properties; nil before an object has been decoded.
  var slots: [Int]?
  /// The object whose properties they are: another one than that of the patch where its class decodes itself.
  private(set) var object: ObjectBase?

  /// Begins the object that is decoded first: the outermost one.
  ///
  /// - Returns: Whether it is that one.
  func begin(_ object: ObjectBase) -> Bool {
    guard slots == nil else { return false }
    slots = []
    self.object = object
    return true
  }
}
