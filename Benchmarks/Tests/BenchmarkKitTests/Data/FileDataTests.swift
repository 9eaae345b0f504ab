import Foundation
import Testing

@testable import BenchmarkKit

@Suite struct FileDataTests {
  @Test func blobsAreSlicesOfNoise() {
    #expect(Blob.noise.count == 1 << 20)
    let ranges = (0..<20_000).map(Blob.range)
    #expect(ranges.allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= Blob.noise.count })
    #expect(ranges.allSatisfy { (8192..<12_288).contains($0.count) })
    #expect(Set(ranges).count > 19_000)
    #expect(Array(Blob.content(7)) == Array(Blob.noise[Blob.range(7)]))
    #expect(Blob.content(7) == Blob.content(7))
  }

  @Test func sumDependsOnEveryByte() {
    func sum(_ bytes: [UInt8]) -> Checksum {
      var checksum = Checksum()
      bytes.withUnsafeBytes { checksum.add(allOf: $0) }
      return checksum
    }
    let bytes = Array(Blob.noise.prefix(45))
    var sums = [sum(bytes)]
    for index in bytes.indices {
      var changed = bytes
      changed[index] ^= 1
      sums.append(sum(changed))
    }
    #expect(sums.allSatisfy { $0.count == 1 && $0.bytes == 45 })
    #expect(sums.dropFirst().allSatisfy { $0.integers != sums[0].integers })
    #expect(sum([]).integers == 0 && sum([5]).integers == 5)
    #expect(sum([1, 0, 0, 0, 0, 0, 0, 0, 7]).integers == 8)
  }

  @Test func additionsAreExpected() {
    let expected = Expected.blobs(3, appended: [1, 2, 1])
    var checksum = Checksum()
    for id in 0..<3 { checksum.add(blob: Expected.blob(id, appended: [1, 2, 1])) }
    #expect(checksum == expected)
    #expect(Blob.addition(7).count == 4096)
    let appended = Expected.blob(1, appended: [1, 2, 1])
    #expect(appended == Blob.content(1) + Blob.addition(1) + Blob.addition(1))
  }

  @Test func messagesAndPagesHaveDocumentedSizes() {
    for id in 0..<5000 {
      #expect((1024..<4096).contains(Message.content(id).count))
      #expect(Message.addition(id).count == 200)
      #expect((1024..<8192).contains(WebPage.content(id).count))
    }
    #expect(Set((0..<5000).map(WebPage.path)).count == 5000)
    #expect(!WebPage.logLine(3).contains("\n"))
  }

  @Test func revisionIncrementsCountersAndReplacesLastTag() {
    let original = Document(id: 5)
    var revised = original
    revised.revise()
    revised.revise()
    #expect(revised.revision == 2)
    #expect(revised.counters["views"] == (original.counters["views"] ?? 0) + 2)
    #expect(revised.counters["likes"] == original.counters["likes"])
    #expect(revised.tags == original.tags.dropLast() + ["r2"])
    #expect((revised.title, revised.body) == (original.title, original.body))
  }

  @Test func growthAppendsTag() {
    let original = Document(id: 5)
    var grown = original
    grown.grow()
    #expect(grown.tags == original.tags + [Document.addedTag])
    grown.tags.removeLast()
    #expect(grown == original)
  }

  @Test func digestDependsOnEveryPartOfDocument() {
    let document = Document(id: 5)
    #expect(document.digest == Document(id: 5).digest)
    var digests = [document.digest]
    func add(_ change: (inout Document) -> Void) {
      var changed = document
      change(&changed)
      digests.append(changed.digest)
    }
    add { $0.title += "!" }
    add { $0.body += "!" }
    add { $0.tags.removeLast() }
    add { $0.tags[0] = "zzz" }
    add { $0.tags.swapAt(0, 1) }
    add { $0.counters["views"] = -1 }
    add { $0.counters["likes"] = -1 }
    add { $0.revision += 1 }
    add { $0.revise() }
    add { $0.grow() }
    #expect(Set(digests).count == digests.count)
  }

  @Test func documentIsAboutOneKilobyteOfJSON() throws {
    let size = try JSONEncoder().encode(Document(id: 5)).count
    #expect((900..<1200).contains(size))
  }
}
