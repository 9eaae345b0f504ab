import CTestFaults
import Glibc
import Testing

@testable import VarveStorage

/// The sector with a meta page, torn between any two moments of a commit at every eighth byte.
@Suite(.serialized) struct TornMetaPageTests {
  private static let sectorSize = 512

  /// Two states of a file, and the commit between them.
  private struct Commit {
    let before: [UInt8]
    let after: [UInt8]
    let id: UInt64
    /// The offset of its meta page.
    var start: Int { Int(id & 1) * 4096 }
    /// The offsets of its pages.
    var pages: [Int] { after.listedPages(of: id) }

    /// The contents of the sector: before the commit, marked, with LMDB's bytes, and sealed.
    var sectors: [[UInt8]] {
      let (old, new) = (before[start..<start + sectorSize], after[start..<start + sectorSize])
      var marked = Array(old)
      marked.replaceSubrange(24..<32, with: new[start + 24..<start + 32])
      marked.replaceSubrange(160..<168, with: new[start + 160..<start + 168])
      marked.replaceSubrange(168..<172, with: repeatElement(255, count: 4))
      marked.replaceSubrange(172..<176, with: repeatElement(0, count: 4))
      var committed = marked
      committed.replaceSubrange(32..<152, with: new[start + 32..<start + 152])
      return [Array(old), marked, committed, Array(new)]
    }

    /// What is wrong with a file after it was opened; nil if it has one of the two versions.
    func fault(_ file: [UInt8]) -> String? {
      let newest = max(file.number(144, 8), file.number(4096 + 144, 8))
      let other = Int(~id & 1) * 4096
      guard newest == id else {
        let isIntact = file[other..<other + 152] == before[other..<other + 152]
        return newest == id - 1 && isIntact ? nil : "version \(newest)"
      }
      guard file[start + 32..<start + 152] == after[start + 32..<start + 152] else {
        return "mixed meta page"
      }
      return pages.contains {
        file.count < $0 + 4096 || file[$0..<$0 + 4096] != after[$0..<$0 + 4096]
      }
        ? "missing page" : nil
    }
  }

  /// Returns the faults of all torn sectors.
  private static func faults(_ mutant: CommitMutant?) throws -> (count: Int, faults: [String]) {
    CommitMutant.current = mutant
    defer { CommitMutant.current = nil }
    let (before, after, id) = try DurableStore.bytesAroundCommit()
    let commit = Commit(before: before, after: after, id: id)
    let store = DurableStore()
    let sectors = commit.sectors
    var faults: [String] = []
    var count = 0
    for (old, new) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
      for cut in stride(from: 0, through: sectorSize, by: 8) {
        for isEnd in [false, true] {
          // All pages of the commit are on the disk, or all but one.
          for missing in -1..<commit.pages.count {
            var image = after
            for offset in 0..<sectorSize {
              let isNew = (offset < cut) != isEnd
              image[commit.start + offset] = sectors[isNew ? new : old][offset]
            }
            if missing >= 0 {
              let page = commit.pages[missing]
              for offset in page..<page + 4096 {
                image[offset] = offset < before.count ? before[offset] : 0
              }
            }
            try store.write(image)
            _ = try? UnfinishedCommit.resolve(path: store.path, failedID: 0, mayWrite: true)
            count += 1
            if let fault = commit.fault(try readBytes(store.path)) {
              faults.append("\(old) and \(new), cut \(cut), \(isEnd), page \(missing): \(fault)")
            }
          }
        }
      }
    }
    return (count, faults)
  }

  @Test func tornMetaPageIsOfOneVersion() throws {
    let (count, faults) = try Self.faults(nil)
    #expect(count > 2000)
    #expect(faults.isEmpty, "\(faults.prefix(5))")
  }

  @Test(arguments: [CommitMutant.markOnOneSide, .twoChecksums, .noMark, .listIsNotChecked])
  func faultsOfProtocolAreFound(_ mutant: CommitMutant) throws {
    let (count, faults) = try Self.faults(mutant)
    print("\(mutant): \(faults.count) of \(count) torn sectors, \(faults.prefix(2))")
    #expect(!faults.isEmpty)
  }
}
