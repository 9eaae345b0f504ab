import VarveCore

/// Some properties of an object, decoded from a partial document such as the body of a `PATCH`
/// request.
///
/// Decode a patch outside of a write, and apply it inside one, to an object or to the one that has
/// the document's primary key; see ``Realm/upsert(_:)-(ObjectPatch<T>)``:
///
/// ```swift
/// let patch = try decoder.decode(ObjectPatch<Issue>.self, from: body)
/// try await realm.write {
///   guard let issue = realm.object(ofType: Issue.self, forPrimaryKey: id) else { return }
///   try patch.apply(to: issue)
/// }
/// ```
/// Only what the document contains is changed, as in a JSON merge patch (RFC 7386):
///
/// - A property whose key is missing stays as it is. Null sets an optional property to nil, and is
///   an error for any other property that is not a collection. A null for a generated primary key
///   is ignored. Keys that the class does not have are ignored.
/// - A nested document changes the embedded object that the property or the map's entry has, and
///   creates one where there is none.
/// - A nested document of a linked object changes the object with its primary key, or inserts one,
///   and sets the link. With the primary key alone it is a reference that changes nothing in an
///   existing object. Without a primary key, it inserts an object.
/// - The entries of a map, and of a dictionary in an ``AnyRealmValue``, are merged by their keys.
///   Null removes an entry, and for the whole map all entries. A dictionary that is new has no
///   entries for nulls.
/// - Lists and sets are replaced; null makes them empty. Embedded objects in a list are new. A list in
///   an ``AnyRealmValue`` is replaced as a whole, and keeps the nulls in it.
///
/// A class that implements `init(from:)` itself does not tell which properties the document contains,
/// and cannot be patched. Nested in a document, its object must be new, or an embedded one that is
/// not encoded as a dictionary and is replaced, or have nothing but a primary key.
///
/// A new object requires a value for each property that is neither optional nor a collection and
/// declares no default. Values that are equal are not set, and not reported to observers.
///
/// Links are decoded according to ``LinkCoding``. A primary key is looked up when the patch is
/// applied; one that no object has is an error.
///
/// Thread safety: any thread may apply a patch, any number of times, to objects of any realm.
public struct ObjectPatch<Value: ObjectBase & Decodable>: Decodable, Sendable {
  let document: PatchDocument

  /// Decodes the properties that a document contains.
  ///
  /// - Throws: `DecodingError`, also for a class that implements `init(from:)` itself, here or in a
  ///   nested document.
  public init(from decoder: any Decoder) throws {
    document = try PatchCollector.document(of: Value.self, from: decoder)
  }

  /// The names of the properties that the document contains.
  public var propertyNames: [String] {
    document.properties.map { document.info.properties[$0.slot].name }
  }

  /// Sets the decoded properties on an object.
  ///
  /// Linked objects that are nested in the document are changed in, or added to, the object's
  /// store.
  ///
  /// - Parameter object: An unmanaged object, or one that the running write may change.
  /// - Throws: `Realm.Error` before anything is changed: `.invalidatedObject` for a deleted object,
  ///   `.notInWriteTransaction` for a managed object outside a write, `.primaryKeyChanged` when the
  ///   document has another primary key than the object, `.missingValue` for a nested object that
  ///   must be created and lacks a value, with all such properties in `details`, and
  ///   `.invalidInput` for a primary key that no object has. A value that cannot be stored, or that
  ///   another object has in a unique index, marks the transaction as failed, as assigning the
  ///   property does, and is thrown: the write is then rolled back, also when the error is caught.
  /// - Complexity: O(properties of the document), with one look-up for each linked object.
  public func apply(to object: Value) throws {
    if object.isInvalidated {
      throw Realm.Error(.invalidatedObject, "A patch cannot be applied to a deleted object.")
    }
    let realm = object.realm
    if let realm, !realm.isInWriteTransaction {
      throw Realm.Error(
        .notInWriteTransaction, "A patch can be applied to a managed object only inside a write.")
    }
    try Realm.Error.translating {
      try checkKey(of: object)
      try PatchWriter.apply(document, to: object, in: realm)
    }
  }

  private func checkKey(of object: Value) throws(Failure) {
    guard let slot = document.info.description.primaryKeySlot,
      case .value(let key)? = document.properties.first(where: { $0.slot == slot })?.content
    else { return }
    let property = document.info.properties[slot]
    guard property.read(object, slot).value != key else { return }
    throw Failure(
      .primaryKeyChanged, "The patch has another primary key than the object.",
      className: document.info.name, propertyName: property.name, value: key.text)
  }
}
