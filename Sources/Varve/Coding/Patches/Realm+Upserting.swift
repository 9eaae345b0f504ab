import VarveCore

extension Realm {
  /// Changes the object that has the primary key of a document, or inserts one.
  ///
  /// Nothing but what the document contains is changed, in nested and linked objects too; see
  /// ``ObjectPatch``. Decode the document before the write:
  ///
  /// ```swift
  /// let patch = try decoder.decode(ObjectPatch<Issue>.self, from: body)
  /// try await realm.write { try realm.upsert(patch) }
  /// ```
  /// A document without a generated primary key, or with 0 or null for it, always inserts an
  /// object, and so does one without a key that declares a default.
  ///
  /// - Parameter patch: The decoded document.
  /// - Returns: The object.
  /// - Throws: `Realm.Error` before anything is changed: `.missingValue` for an object that must be
  ///   inserted and lacks values, with the names of all of them in `details`, `.invalidInput` for a
  ///   link to a primary key that no object has, `.noPrimaryKey` for a class without one,
  ///   `.notInWriteTransaction`. A value that cannot be stored, or that another object has in a unique
  ///   index, marks the transaction as failed and is thrown: the write is then rolled back, also when
  ///   the error is caught.
  /// - Complexity: O(properties of the document), with one look-up for each object.
  @discardableResult
  public func upsert<T: Object & Decodable>(_ patch: ObjectPatch<T>) throws -> T {
    let objects: [T] = try upsert([patch])
    return objects[0]
  }

  /// Changes the objects that have the primary keys of documents, or inserts them; see
  /// ``upsert(_:)-(ObjectPatch<T>)``.
  ///
  /// The documents may link to each other in any order. Of several documents with one key, each is
  /// applied, in order.
  ///
  /// Unique values are checked when they are set, in the order of the documents: one can take a value
  /// that an earlier one releases. To swap two values, set one to null, or to another value, in a
  /// document before.
  ///
  /// ```swift
  /// let patches = try decoder.decode([ObjectPatch<Issue>].self, from: body)
  /// try await realm.write { try realm.upsert(patches) }
  /// ```
  /// - Parameter patches: The decoded documents.
  /// - Returns: The object of each document.
  /// - Throws: The errors of ``upsert(_:)-(ObjectPatch<T>)``. Those that are thrown before anything is
  ///   changed have the index of the document in `details`. Of all others, the write is rolled back.
  ///   In both cases no document is applied.
  @discardableResult
  public func upsert<T: Object & Decodable>(_ patches: [ObjectPatch<T>]) throws -> [T] {
    guard isInWriteTransaction else {
      throw Error(.notInWriteTransaction, "Patches are stored only inside a write.")
    }
    return try Error.translating { () throws(Failure) in
      try PatchWriter.upsert(patches.map(\.document), in: self).map { object in
        guard let object = object as? T else {
          preconditionFailure("A patch decodes objects of its class.")
        }
        return object
      }
    }
  }
}
