public import Foundation

extension JSONDecoder {
  /// Decodes the properties in a JSON document into an object, and leaves the others unchanged.
  ///
  /// The method decodes an ``ObjectPatch`` and applies it immediately. In a server, decode the
  /// patch before the write instead, so that decoding does not delay other writers.
  ///
  /// - Parameters:
  ///   - object: An unmanaged object, or one that the running write may change.
  ///   - data: The JSON document.
  /// - Throws: `DecodingError`; the errors of ``ObjectPatch/apply(to:)``. No property is set then.
  public func decode<Value: ObjectBase & Decodable>(into object: Value, from data: Data) throws {
    try decode(ObjectPatch<Value>.self, from: data).apply(to: object)
  }
}
