import Foundation

/// Encodes a value as JSON with sorted keys.
func sortedJSON(
  _ value: some Encodable, _ configure: (JSONEncoder) -> Void = { _ in }
) throws -> String {
  let encoder = JSONEncoder()
  configure(encoder)
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  return String(decoding: try encoder.encode(value), as: UTF8.self)
}

/// Decodes a JSON text.
func decoded<Value: Decodable>(
  _ text: String, as type: Value.Type = Value.self, _ configure: (JSONDecoder) -> Void = { _ in }
) throws -> Value {
  let decoder = JSONDecoder()
  configure(decoder)
  return try decoder.decode(type, from: Data(text.utf8))
}
