import Glibc
import Testing
import VarveTestSupport

/// Copies of the data file made by a program that knows nothing of the store, while processes write
/// to it.
///
/// Such a copy may have pages of several versions. Where they fit together, only a version in the
/// file itself could show it: copies are made with `writeCopy(toFile:)`.
@Suite struct PlainCopyTests {
  @Test func copiesAreSoundOrRefused() throws {
    let directory = try FaultDirectory()
    let path = directory.path + "/store.varve"
    let copy = directory.path + "/copy.varve"
    var random = SeededRandom()
    let seed = random.below(1_000_000)
    let first = TestProcess(["faultWork", path, "\(seed)", "20", "none"])
    #expect(first.lines().last == "done")
    let writers = (1...2).map {
      TestProcess(["faultWork", path, "\(seed + $0)", "1000000", "none", "shared"])
    }
    let checker = TestProcess(
      ["plainCopies", "-"], environment: ["SWIFT_BACKTRACE=enable=no"])
    var counts: [String: Int] = [:]
    let copyCount = FaultDirectory.rounds == 1 ? 40 : 30 * FaultDirectory.rounds
    for number in 0..<copyCount {
      for suffix in ["", "-lock", "-signal"] { unlink(copy + suffix) }
      // Small parts, so that the writers commit between them.
      try Self.copy(path, to: copy, partBytes: random.pick([4096, 65536]))
      checker.send(copy)
      let line = checker.line() ?? "crash"
      let word = String(line.prefix { $0 != " " })
      counts[word, default: 0] += 1
      let isExpected = ["sound", "mixed", "unsound", "refused"].contains(word)
      #expect(isExpected, "copy \(number), \(random): \(line)")
      if !isExpected { break }
    }
    print("PlainCopyTests: \(counts), \(random)")
    for writer in writers { writer.kill() }
    // The copying disturbed no writer.
    let check = TestProcess(["faultCheckMany", "-"])
    check.send("\(path) 1 3000000 1")
    let last = check.line() ?? ""
    #expect(last.hasPrefix("ok"), "\(random): \(last)")
    let count = last.split(separator: " ").last.flatMap { Int($0) } ?? 0
    #expect(count > 20 + copyCount, "the writers committed: \(last)")
    // Few copies of a busy machine may all be between two commits.
    if FaultDirectory.rounds > 1 { #expect(counts["sound", default: 0] < copyCount) }
  }

  private static func copy(_ path: String, to copy: String, partBytes: Int) throws {
    let source = open(path, O_RDONLY)
    let target = open(copy, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    try #require(source >= 0 && target >= 0)
    defer {
      close(source)
      close(target)
    }
    let part = UnsafeMutableRawBufferPointer.allocate(byteCount: partBytes, alignment: 16)
    defer { part.deallocate() }
    while true {
      let count = read(source, part.baseAddress, part.count)
      if count <= 0 { return }
      try #require(write(target, part.baseAddress, count) == count)
      if partBytes == 4096 { sched_yield() }
    }
  }
}
