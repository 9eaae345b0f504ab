import BenchmarkKit
import Foundation

/// Reads objects of a collection of JSON files. For one thread.
struct JSONFileReader<Object: Decodable> {
  private let reader: FileReader
  private let decoder = JSONDecoder()

  init(_ collection: FileCollection) throws {
    reader = try FileReader(collection)
  }

  /// The object of a file; nil when there is none.
  func read(_ location: FileLocation) throws -> Object? { try reader.read(location, decode) }

  /// Iterates all objects.
  func readAll(_ body: (Object) throws -> Void) throws {
    try reader.readAll { try body(decode($0)) }
  }

  private func decode(_ bytes: UnsafeMutableRawBufferPointer) throws -> Object {
    guard let start = bytes.baseAddress else { throw BenchmarkError("a file is empty") }
    // The bytes are not copied; the decoder does not retain them.
    return try decoder.decode(
      Object.self, from: Data(bytesNoCopy: start, count: bytes.count, deallocator: .none))
  }
}
