/// A decoder, and the invariants of the values that it accepts.
struct FuzzTarget: Sendable, CustomStringConvertible {
  /// The name of the target, and of the folder of its corpus.
  let name: String
  /// - Throws: ``FuzzFinding``.
  let run: @Sendable (UnsafeRawBufferPointer) throws -> Void

  var description: String { name }

  static let all = [
    FuzzTarget(name: "rows", run: RowFuzzing.run),
    FuzzTarget(name: "list-nodes", run: ListNodeFuzzing.run),
    FuzzTarget(name: "map-entries", run: MapEntryFuzzing.run),
    FuzzTarget(name: "row-entries", run: RowEntriesFuzzing.run),
    FuzzTarget(name: "keys", run: KeyFuzzing.run),
    FuzzTarget(name: "postings", run: PostingFuzzing.run),
    FuzzTarget(name: "catalog", run: CatalogFuzzing.run),
    FuzzTarget(name: "mixed-values", run: MixedValueFuzzing.run),
    FuzzTarget(name: "predicates", run: PredicateFuzzing.run),
    FuzzTarget(name: "json-lines", run: JSONLinesFuzzing.run),
  ]
}

/// Bytes that a decoder accepted although it should not have, or decoded to another value.
struct FuzzFinding: Error, CustomStringConvertible {
  let description: String
}

/// Throws a finding if a condition does not hold.
func require(_ condition: Bool, _ finding: @autoclosure () -> String) throws {
  if !condition { throw FuzzFinding(description: finding()) }
}

/// Returns the result of a call that must not throw.
func require<R>(_ finding: String, _ call: () throws -> R) throws -> R {
  do {
    return try call()
  } catch {
    throw FuzzFinding(description: "\(finding): \(error)")
  }
}

/// The input of a target: a few choices, then the bytes to decode.
struct FuzzInput {
  private var rest: UnsafeRawBufferPointer.SubSequence

  init(_ bytes: UnsafeRawBufferPointer) { rest = bytes[...] }

  var count: Int { rest.count }

  /// Removes the next byte; 0 at the end.
  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  mutating func bytes(_ count: Int) -> [UInt8] {
    let bytes = Array(rest.prefix(count))
    rest = rest.dropFirst(count)
    return bytes
  }

  mutating func remaining() -> [UInt8] { bytes(rest.count) }
}

extension [UInt8] {
  /// Calls `body` with the bytes in memory of their exact size, unaligned, so that the address
  /// sanitizer finds reads past their end.
  func lend<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: count + 1, alignment: 8)
    defer { memory.deallocate() }
    let part = UnsafeMutableRawBufferPointer(rebasing: memory[1...])
    part.copyBytes(from: self)
    return try body(UnsafeRawBufferPointer(part))
  }

  /// Replaces bytes by a little-endian number.
  mutating func store<T: FixedWidthInteger>(_ value: T, at offset: Int) {
    Swift.withUnsafeBytes(of: value.littleEndian) {
      replaceSubrange(offset..<offset + $0.count, with: $0)
    }
  }
}
