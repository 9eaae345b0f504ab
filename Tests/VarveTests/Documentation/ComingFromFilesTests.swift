import Foundation
import Testing
import Varve

/// The examples of the article “Coming from files”.
@Suite struct ComingFromFilesTests {
  @Model final class Document: Object {
    @Persisted(primaryKey: true) var path: String
    @Persisted(indexed: true) var modified: Date
    @Persisted var content: Data
  }

  func importFiles(in folder: URL, to realm: Realm) async throws -> Int {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    var count = 0
    for start in stride(from: 0, to: paths.count, by: 500) {
      let documents = try paths[start..<min(start + 500, paths.count)].compactMap { path in
        let url = folder.appending(path: path)
        let values = try url.resourceValues(forKeys: [
          .isRegularFileKey, .contentModificationDateKey,
        ])
        return values.isRegularFile == true
          ? Document.New(
            path: path, modified: values.contentModificationDate ?? .now,
            content: try Data(contentsOf: url))
          : nil
      }
      try await realm.write { realm.insert(documents, update: .modified) }
      count += documents.count
    }
    return count
  }

  @Test func directoryIsImported() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "files-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let letters = folder.appending(path: "letters")
    try FileManager.default.createDirectory(at: letters, withIntermediateDirectories: true)
    for number in 0..<700 {
      try Data("letter \(number)".utf8).write(to: letters.appending(path: "\(number)"))
    }
    try Data("x".utf8).write(to: folder.appending(path: "other"))
    try await withDefaultRealm {
      let realm = try Realm()
      #expect(try await importFiles(in: folder, to: realm) == 701)
      #expect(try await importFiles(in: folder, to: realm) == 701)
      #expect(realm.objects(Document.self).count == 701)
      var printed = Printed()
      func print(_ items: Any...) { printed.add(items) }
      let yesterday = Date.now.addingTimeInterval(-86_400)

      do {
        let letters = realm.objects(Document.self).where { $0.path.starts(with: "letters/") }
        for letter in letters.sorted(by: \.path) {
          print(letter.path, letter.byteCount(of: \.content))
        }

        let recent = realm.objects(Document.self).where { $0.modified > yesterday }
        for await change in recent.changes {
          print(change.collection.count)  // now, and after each change
          break
        }
      }

      #expect(printed.lines.count == 701 && printed.lines.first == "letters/0 8")
      #expect(printed.lines.last == "701")
    }
  }
}
