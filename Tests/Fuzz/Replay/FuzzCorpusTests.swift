import Foundation
import Testing
import VarveTestSupport

/// The corpora of the fuzz targets, and changes of their files, without the fuzzer.
@Suite struct FuzzCorpusTests {
  @Test(arguments: FuzzTarget.all) func corpusIsDecodedOrRefused(_ target: FuzzTarget) throws {
    let corpus = try FuzzCorpus(target)
    #expect(corpus.files.count >= 10)
    for (name, bytes) in corpus.files {
      #expect(throws: Never.self, "\(name)") { try bytes.lend(target.run) }
    }
  }

  @Test(arguments: FuzzTarget.all) func changedCorpusIsDecodedOrRefused(
    _ target: FuzzTarget
  ) throws {
    let files = try FuzzCorpus(target).files.map(\.bytes)
    var random = SeededRandom()
    // A trap leaves no failure message, so the seed is printed beforehand.
    print("FuzzCorpusTests: \(target), \(random)")
    for round in 0..<2500 {
      var bytes = random.pick(files)
      for _ in 0...random.below(4) { random.change(&bytes, files) }
      do {
        try bytes.lend(target.run)
      } catch {
        Issue.record("round \(round) of \(random): \(error)")
        return
      }
    }
  }
}

/// The files of the corpus of a target.
struct FuzzCorpus {
  let files: [(name: String, bytes: [UInt8])]

  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Corpora")

  init(_ target: FuzzTarget) throws {
    let folder = Self.folder.appending(path: target.name)
    files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
      ($0, Array(try Data(contentsOf: folder.appending(path: $0))))
    }
  }
}

extension SeededRandom {
  /// Changes a part of an input.
  fileprivate mutating func change(_ bytes: inout [UInt8], _ files: [[UInt8]]) {
    let index = below(bytes.count)
    guard index < bytes.count else {
      bytes.append(UInt8(below(256)))
      return
    }
    switch below(7) {
    case 0: bytes.removeLast(bytes.count - index)
    case 1: bytes.insert(UInt8(below(256)), at: index)
    case 2: bytes[index] = pick([0, 1, 2, 0x7F, 0x80, 0xFF])
    case 3: bytes.removeSubrange(index..<min(bytes.count, index + 1 + below(8)))
    case 4:
      let other = pick(files)
      bytes.replaceSubrange(index..., with: other[min(below(other.count), other.count)...])
    case 5: bytes.insert(contentsOf: bytes[index..<min(bytes.count, index + 8)], at: index)
    default: bytes[index] ^= 1 << UInt8(below(8))
    }
  }
}
