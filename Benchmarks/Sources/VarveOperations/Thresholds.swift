import Foundation

/// The content of a file of thresholds.
struct Thresholds: Codable {
  /// The costs of operations.
  var operations: [String: Cost] = [:]

  var figures: [String: Int] = [:]

  init() {}

  init(contentsOf file: URL) throws {
    self = try JSONDecoder().decode(Thresholds.self, from: Data(contentsOf: file))
  }

  func write(to file: URL) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    var rounded = self
    rounded.operations = operations.mapValues(\.rounded)
    try (encoder.encode(rounded) + Data("\n".utf8)).write(to: file)
  }
}
