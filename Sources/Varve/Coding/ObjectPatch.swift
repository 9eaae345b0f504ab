import VarveCore

/// Some properties of an object, decoded from a partial document such as the body of a `PATCH`
/// request.
///
/// Decode a patch outside of a write, and apply it inside one:
///
/// ```swift
/// let patch = try decoder.decode(ObjectPatch<Issue>.self, from: body)
/// try await realm.write {
///   guard let issue = realm.object(ofType: Issue.self, forPrimaryKey: id) else { return }
///   try patch.apply(to: issue)
/// }
/// ```
/// Only the properties whose keys the document contains are set. Null sets an optional property to
/// nil, and is an error for any other property. A null for a generated primary key is ignored.
/// Lists, sets, maps and embedded objects are replaced as a whole. Keys that the class does not
/// have are ignored. Links are decoded according to ``LinkCoding``.
///
/// Thread safety: any thread may apply a patch.
public struct ObjectPatch<Value: ObjectBase & Decodable>: Decodable, Sendable {
  /// An unmanaged object with the values in the document.
  private let values: Value
  private let slots: [Int]

  /// Decodes the properties that a document contains.
  ///
  /// - Throws: `DecodingError`, also for a class that implements `init(from:)` itself.
  public init(from decoder: any Decoder) throws {
    let properties = PatchedProperties()
    values = try PatchedProperties.$current.withValue(properties) {
      try Value(from: decoder)
    }
    guard let slots = properties.slots, properties.object === values else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription: "\(Value.self) implements init(from:) itself and cannot be patched.")
      )
    }
    self.slots = slots
  }

  /// The names of the properties that the document contains.
  public var propertyNames: [String] { slots.map { values.info.properties[$0].name } }

  /// Sets the decoded properties on an object.
  ///
  /// Decoded linked objects are added to the object's store. Apply a patch that contains linked or
  /// embedded objects only once: each call assigns the same objects.
  ///
  /// - Parameter object: An unmanaged object, or one that the running write may change.
  /// - Throws: `Realm.Error` with `.invalidatedObject` for a deleted object,
  ///   `.notInWriteTransaction` for a managed object outside a write, and `.primaryKeyChanged` when
  ///   the document has another primary key than the object; no property is set then. A value that
  ///   cannot be stored marks the transaction as failed, as assigning the property does.
  /// - Complexity: O(properties of the document).
  public func apply(to object: Value) throws {
    if object.isInvalidated {
      throw Realm.Error(.invalidatedObject, "A patch cannot be applied to a deleted object.")
    }
    if let realm = object.realm, !realm.isInWriteTransaction {
      throw Realm.Error(
        .notInWriteTransaction, "A patch can be applied to a managed object only inside a write.")
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

/// The properties of the outermost object that a document contains, collected while a patch is
/// decoded.
///
/// Thread safety: one thread at a time, like the decoder.
final class PatchedProperties: @unchecked Sendable {
  // Safe because a decoder calls `init(from:)` on the thread that decodes, and only that thread
  // reads it afterwards.

  /// The patch that the running task or thread decodes.
  @TaskLocal static var current: PatchedProperties?

  /// The property slots; nil before an object has been decoded.
  var slots: [Int]?
  /// The object that the properties belong to. It differs from the patch's object when its class
  /// implements `init(from:)`.
  private(set) var object: ObjectBase?

  /// Notes the first decoded object, which is the outermost one.
  ///
  /// - Returns: Whether `object` is the outermost one.
  func begin(_ object: ObjectBase) -> Bool {
    guard slots == nil else { return false }
    slots = []
    self.object = object
    return true
  }
}
