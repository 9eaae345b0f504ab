public import Foundation

extension JSONDecoder {
  /// Decodes the properties that a JSON document has into an object, and leaves the others as they are.
  ///
  /// It is ``ObjectPatch``, decoded and applied at once. In a server decode the patch before the write: a document that is wrong
  /// then costs no other writer anything.
  ///
  /// - Parameters:
  ///   - object: an unmanaged object, or one that the running write may change.
  ///   - data: the document.
  /// - Throws: `DecodingError`; as ``ObjectPatch/apply(to:)``. Nothing is set then.
  public func decode<Value: ObjectBase & Decodable>(into object: Value, from data: Data) throws {
    try decode(ObjectPatch<Value>.self, from: data).apply(to: object)
  }
}
