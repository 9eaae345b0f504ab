import Foundation
import Testing

@testable import VarveStorage

@Suite struct NamedFileTests {
  /// Each change of a name, made when the path was looked up lately, and when it was not.
  @Test(arguments: Change.allCases, [false, true])
  func changeOfNameIsNoticed(_ change: Change, afterLookUp: Bool) throws {
    let directory = TemporaryDirectory()
    let path = directory.file("named")
    try Data("first".utf8).write(to: URL(filePath: path))
    let file = NamedFile(path: path, try #require(FileIdentity(path: path)))
    #expect(file.isCurrent)
    if afterLookUp {
      // Longer than the tick of the clock of file times: the look-up is then recorded.
      usleep(60_000)
      #expect(file.isCurrent && file.isCurrent)
    }
    switch change {
    case .removed:
      unlink(path)
    case .renamed:
      rename(path, path + ".old")
    case .replaced:
      try Data("second".utf8).write(to: URL(filePath: path + ".new"))
      rename(path + ".new", path)
    }
    #expect(!file.isCurrent && !file.isCurrent)
    guard change == .renamed else { return }
    rename(path + ".old", path)
    #expect(file.isCurrent)
  }

  @Test func renamedDirectoryIsNoticedWithinInterval() throws {
    let directory = TemporaryDirectory()
    let path = directory.file("inner")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    try Data("first".utf8).write(to: URL(filePath: path + "/named"))
    let file = NamedFile(path: path + "/named", try #require(FileIdentity(path: path + "/named")))
    usleep(60_000)
    #expect(file.isCurrent)
    rename(path, path + ".old")
    usleep(150_000)
    #expect(!file.isCurrent)
  }

  @Test func missingAndLinkedFilesAreLookedUp() throws {
    let directory = TemporaryDirectory()
    let path = directory.file("named")
    try Data("first".utf8).write(to: URL(filePath: path))
    let identity = try #require(FileIdentity(path: path))
    rename(path, path + ".old")
    let file = NamedFile(path: path, identity)
    #expect(!file.isCurrent)
    symlink(path + ".old", path)
    #expect(!file.isCurrent && !NamedFile(path: path, identity).isCurrent)
    unlink(path)
    rename(path + ".old", path)
    #expect(file.isCurrent)
  }

  enum Change: CaseIterable { case removed, renamed, replaced }
}
