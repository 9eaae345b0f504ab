import VarveCore

/// How deep lists and dictionaries of mixed values stand in one another in what is coded. Encoders and decoders call themselves
/// for each, and a thread has a small stack.
enum NestedCoding {
  /// The lists and dictionaries around the value that the running task or thread codes.
  @TaskLocal private static var depth = 0

  /// From which depth on a decoder is asked for a list and a dictionary first. Each wrong guess makes an error with the path
  /// of the value, for which decoders take time with the square of its depth; of a value that is not deep that is less
  /// than what the two questions cost.
  private static let deepFrom = 8

  static var isDeep: Bool { depth >= deepFrom }

  /// Encodes a list or a dictionary.
  ///
  /// - Throws: `EncodingError.invalidValue` where ``NestedContent/maximumDepth`` are around it; what `body` throws.
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
  /// - Throws: `DecodingError.dataCorrupted` where ``NestedContent/maximumDepth`` are around it; what `body` throws.
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
