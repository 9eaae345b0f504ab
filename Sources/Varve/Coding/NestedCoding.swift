import VarveCore

/// Limits the nesting of lists and dictionaries in encoded and decoded mixed values. Encoders and
/// decoders recurse for each level, and a thread has a small stack.
enum NestedCoding {
  /// The number of lists and dictionaries around the value that the running task or thread encodes
  /// or decodes.
  @TaskLocal private static var depth = 0

  /// The depth from which on a decoder tries a list and a dictionary first. Each wrong guess
  /// creates an error with the path of the value, which takes decoders time quadratic in its depth.
  /// For a value at a small depth, that is less than the cost of trying the two.
  private static let deepFrom = 8

  static var isDeep: Bool { depth >= deepFrom }

  /// Encodes a list or a dictionary.
  ///
  /// - Throws: `EncodingError.invalidValue` inside of ``NestedContent/maximumDepth`` levels; the
  ///   errors of `body`.
  static func encode(
    _ value: AnyRealmValue, to encoder: any Encoder, _ body: () throws -> Void
  ) throws {
    guard depth < NestedContent.maximumDepth else {
      throw EncodingError.invalidValue(
        value, EncodingError.Context(codingPath: encoder.codingPath, debugDescription: tooDeep))
    }
    try $depth.withValue(depth + 1, operation: body)
  }

  /// Decodes a list or a dictionary.
  ///
  /// - Throws: `DecodingError.dataCorrupted` inside of ``NestedContent/maximumDepth`` levels; the
  ///   errors of `body`.
  static func decode(
    from decoder: any Decoder, _ body: () throws -> AnyRealmValue
  ) throws -> AnyRealmValue {
    guard depth < NestedContent.maximumDepth else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: tooDeep))
    }
    return try $depth.withValue(depth + 1, operation: body)
  }

  private static let tooDeep =
    "Lists and dictionaries in a mixed value are nested more than \(NestedContent.maximumDepth) levels deep."
}
